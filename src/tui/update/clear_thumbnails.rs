//! Clears the account's cached thumbnails and names on this machine, and reports the bytes freed.

use crate::api::Error;
use crate::engine::OpId;
use crate::engine::question::ClearThumbnails;
use crate::tui::pane::ask::{OnAnswer, ask};
use crate::tui::state::{ClearRead, MessageLevel, State};
use crate::tui::widget::figures;

pub(super) fn clear(state: &mut State) {
    ask(state, ClearRead, ClearThumbnails);
}

impl OnAnswer for ClearRead {
    type Question = ClearThumbnails;

    fn answered(self, state: &mut State, _: OpId, freed: u64) {
        if freed == 0 {
            state.say(
                MessageLevel::Hint,
                "No thumbnails and no names of this account are kept.",
            );
        } else {
            state.say(
                MessageLevel::Info,
                format!(
                    "Cleared thumbnails and kept names: {} freed.",
                    figures::size(freed)
                ),
            );
        }
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) {
        state.say_failed("Thumbnails and kept names were not cleared", error);
    }
}
