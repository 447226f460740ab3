//! Clears what is kept of the account on this machine, and says how much that was.

use crate::api::Error;
use crate::engine::OpId;
use crate::engine::question::ClearThumbnails;
use crate::tui::effect::Effect;
use crate::tui::state::{ClearRead, MessageLevel, State};
use crate::tui::update::ask::{OnAnswer, ask};
use crate::tui::widget::figures;

pub(super) fn clear(state: &mut State) -> Effect {
    ask(state, ClearRead, ClearThumbnails)
}

impl OnAnswer for ClearRead {
    fn answered(self, state: &mut State, _: OpId, freed: u64) -> Vec<Effect> {
        if freed == 0 {
            state.say(MessageLevel::Hint, "No thumbnails and no names of this account are kept.");
        } else {
            state
                .say(MessageLevel::Info, format!("Cleared thumbnails and kept names: {} freed.", figures::size(freed)));
        }
        Vec::new()
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) -> Vec<Effect> {
        state.say_failed("Thumbnails and kept names were not cleared", error);
        Vec::new()
    }
}
