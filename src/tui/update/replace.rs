//! A file that is to get the content of a local one: the dialog stays open until it is known that this can be sent.

use super::{plan, submit};
use crate::api::Error;
use crate::api::text::visible;
use crate::engine::question::CheckLocalFile;
use crate::engine::{Job, OpId};
use crate::tui::message::Effect;
use crate::tui::state::{ReplacementCheck, State};
use crate::tui::update::ask::{OnAnswer, ask};

/// Looks at the local file that the dialog on top names.
pub(super) fn look(state: &mut State, job: Box<Job>) -> Option<Effect> {
    let Job::Replace { local, .. } = &*job else { return None };
    let path = local.clone();
    plan::note(state, "Checking the local file");
    Some(ask(state, ReplacementCheck(job), CheckLocalFile { path }))
}

impl OnAnswer for ReplacementCheck {
    fn answered(self, state: &mut State, _: OpId, (): ()) -> Vec<Effect> {
        plan::close_asker(state);
        submit::by_road(state, vec![*self.0])
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) -> Vec<Effect> {
        // What was typed stays.
        if let Some(dialog) = state.dialogs.last_mut() {
            dialog.say_wrong(format!("{}.", visible(error.message.trim_end_matches('.'))));
        }
        Vec::new()
    }
}
