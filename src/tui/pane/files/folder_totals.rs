//! Counts the contents of the folders on the screen, one at a time, while the cursor rests and
//! requests are left.

use crate::api::Error;
use crate::engine::OpId;
use crate::engine::preview::{Preview, PreviewTarget};
use crate::engine::question::GetPreview;
use crate::tui::pane::ask::{OnAnswer, ask};
use crate::tui::state::{FolderTotal, State, TotalRead};

pub(in crate::tui) fn follow(state: &mut State) {
    if state
        .files
        .cursor_idle
        .at_rest()
        .is_none_or(|at| at > state.now)
    {
        return;
    }
    let Some(place) = state.needs_total() else {
        return;
    };
    let read = TotalRead(place.id.clone());
    let op = ask(
        state,
        read,
        GetPreview {
            subject: PreviewTarget::Folder(place),
            room: (0, 0),
            is_thumbnail: false,
            page: 0,
        },
    );
    state.session.folder_totals.asked = Some(op);
}

impl OnAnswer for TotalRead {
    fn answered(self, state: &mut State, _: OpId, answer: Preview) {
        let total = match &answer {
            Preview::Folder(contents) => Some(FolderTotal::of(contents)),
            _ => None,
        };
        state.session.folder_totals.asked = None;
        state.session.folder_totals.count(self.0.as_ref(), total);
    }

    /// Leaves the row without its count, silently, because the user did not request one.
    fn failed(self, state: &mut State, _: OpId, _: &Error) {
        state.session.folder_totals.asked = None;
        state.session.folder_totals.count(self.0.as_ref(), None);
    }
}
