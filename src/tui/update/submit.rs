//! Puts jobs into the queue, as one batch; what they change is marked as busy in the panes at once.

use crate::api::text::visible;
use crate::engine::batch::label;
use crate::engine::{Job, Request};
use crate::tui::message::Effect;
use crate::tui::state::{Level, Read, State};

/// Nothing where there are no jobs.
pub(super) fn jobs(state: &mut State, jobs: Vec<Job>) -> Option<Effect> {
    let what = format!("{} failed, {}", jobs.first()?.verb().noun(), label(&jobs));
    let op = state.desk.ops.read(Read::Queue { what });
    state.desk.tasks.busy.ask(op, jobs.iter().filter_map(Job::target));
    Some(Effect::Submit(op, Request::Queue(jobs)))
}

/// Says why a change is not even tried on a read-only account.
pub(super) fn refuse_change(state: &mut State) {
    let text = format!("{} is read-only: nothing was changed.", visible(state.desk.account.name()));
    state.say(Level::Warn, text);
}
