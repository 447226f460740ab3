//! Counts the contents of the folders on the screen, one at a time, while the cursor rests and
//! requests are left.

use crate::api::Error;
use crate::engine::OpId;
use crate::engine::message::FolderRef;
use crate::engine::preview::{Preview, PreviewTarget};
use crate::engine::question::GetPreview;
use crate::tui::pane::ask::{OnAnswer, ask};
use crate::tui::pane::component::Due;
use crate::tui::state::{FolderTotal, State, TotalRead};
use crate::tui::state::{Pane, View};

pub(crate) fn due(state: &State) -> Option<Due> {
    let at_rest = state.files.cursor_idle.at_rest();
    Due::new(at_rest.filter(|_| lacking(state).is_some()), request)
}

/// The next folder on the screen to count.
fn lacking(state: &State) -> Option<FolderRef> {
    let is_wanted = state.panes.folder_counts && state.view == View::Files;
    let shows_tree = state.shown_panes().contains(&Pane::Tree);
    is_wanted
        .then(|| state.uncounted(usize::from(state.size.height), shows_tree))
        .flatten()
}

fn request(state: &mut State) {
    let Some(place) = lacking(state) else {
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
    type Question = GetPreview;

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
