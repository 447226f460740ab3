//! Puts jobs into the queue, as one batch; what they change is marked as busy in the panes at once.

use crate::api::text::visible;
use crate::engine::batch::label;
use crate::engine::{Job, Request};
use crate::tui::message::Effect;
use crate::tui::state::{Level, Read, State};

/// Nothing where there are no jobs, nor where they would change what is for reading only, nor where nobody takes them.
pub(super) fn jobs(state: &mut State, jobs: Vec<Job>) -> Option<Effect> {
    if state.desk.is_closed {
        let name = visible(state.desk.account.name()).into_owned();
        state.say(Level::Error, format!("Nothing was sent: {name} is not open."));
        return None;
    }
    if state.desk.account.read_only && jobs.iter().any(|job| job.verb().is_change()) {
        refuse_change(state);
        return None;
    }
    let what = format!("{} failed, {}", jobs.first()?.verb().noun(), label(&jobs));
    let op = state.desk.ops.read(Read::Queue { what });
    state.desk.tasks.busy.ask(op, jobs.iter().filter_map(Job::target));
    Some(Effect::Submit(op, Request::Queue(jobs)))
}

/// As one batch of what ends with its answer, and one of what the service does on its own time.
pub(super) fn by_road(state: &mut State, all: Vec<Job>) -> Vec<Effect> {
    let (remote, others): (Vec<Job>, Vec<Job>) = all.into_iter().partition(|job| job.verb().is_remote());
    [others, remote].into_iter().filter_map(|batch| jobs(state, batch)).collect()
}

/// Says why a change is not even tried on a read-only account.
pub(super) fn refuse_change(state: &mut State) {
    let text = format!("{} is read-only: nothing was changed.", visible(state.desk.account.name()));
    state.say(Level::Warn, text);
}
