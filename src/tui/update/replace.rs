//! A file that is to get the content of a local one: the dialog stays open until it is known that this can be sent.

use super::{plan, submit};
use crate::api::Error;
use crate::api::text::visible;
use crate::engine::{Job, Request};
use crate::tui::message::Effect;
use crate::tui::state::{Read, State};

/// Looks at the local file that the dialog on top names.
pub(super) fn look(state: &mut State, job: Box<Job>) -> Option<Effect> {
    let Job::Replace { local, .. } = &*job else { return None };
    let path = local.clone();
    plan::note(state, "Checking the local file");
    Some(Effect::Submit(state.current.ops.read(Read::CheckReplacement(job)), Request::LocalFile { path }))
}

/// It can be sent: closes the dialog and asks for it.
pub(super) fn found(state: &mut State, job: Job) -> Vec<Effect> {
    plan::close_asker(state);
    submit::by_road(state, vec![job])
}

/// It cannot: what was typed stays, with what is wrong.
pub(super) fn not_found(state: &mut State, error: &Error) {
    if let Some(dialog) = state.dialogs.last_mut() {
        dialog.say_wrong(format!("{}.", visible(error.message.trim_end_matches('.'))));
    }
}
