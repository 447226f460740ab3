//! Counts what is in the folders on the screen, one after the other, while the cursor rests and requests are left.

use crate::api::Error;
use crate::engine::OpId;
use crate::engine::preview::{Preview, PreviewTarget};
use crate::engine::question::GetPreview;
use crate::tui::effect::Effect;
use crate::tui::state::{FolderTotal, State, TotalRead};
use crate::tui::update::ask::{OnAnswer, ask_with_id};

/// Asks for the next count, if one is due.
pub(super) fn follow(state: &mut State) -> Option<Effect> {
    if state.current.cursor_idle.at_rest().is_none_or(|at| at > state.now) {
        return None;
    }
    let place = state.needs_total()?;
    let read = TotalRead(place.id.clone());
    let (op, effect) = ask_with_id(
        state,
        read,
        GetPreview { subject: PreviewTarget::Folder(place), room: (0, 0), is_thumbnail: false, page: 0 },
    );
    state.current.folder_totals.asked = Some(op);
    Some(effect)
}

impl OnAnswer for TotalRead {
    fn answered(self, state: &mut State, _: OpId, answer: Preview) -> Vec<Effect> {
        let total = match &answer {
            Preview::Folder(contents) => Some(FolderTotal::of(contents)),
            _ => None,
        };
        state.current.folder_totals.asked = None;
        state.current.folder_totals.count(self.0.as_ref(), total);
        Vec::new()
    }

    /// The row goes without its count: nobody asked for it.
    fn failed(self, state: &mut State, _: OpId, _: &Error) -> Vec<Effect> {
        state.current.folder_totals.asked = None;
        state.current.folder_totals.count(self.0.as_ref(), None);
        Vec::new()
    }
}
