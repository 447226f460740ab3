//! Starts the jobs that the user sees: each gets an id, a row in the list, and its rows in the panes are marked.

use std::collections::BTreeSet;

use crate::api::text::visible;
use crate::engine::message::Target;
use crate::engine::{Job, OpId, Request};
use crate::tui::message::Effect;
use crate::tui::state::{Level, State};

pub(super) fn job(state: &mut State, job: Job) -> Effect {
    let op = state.desk.ops.start(job.clone(), state.now);
    mark_busy(state);
    Effect::Submit(op, Request::Job(job))
}

/// Marks the rows and folders that live tasks work on; what was read again does not know of them.
pub(super) fn mark_busy(state: &mut State) {
    let busy: Vec<(OpId, BTreeSet<Target>)> = state.desk.ops.live().map(|task| (task.op, task.job.targets())).collect();
    for (op, targets) in busy {
        state.desk.listing.set_busy(&targets, op);
        for target in targets {
            if let Target::Folder(id) = target
                && let Some(node) = state.desk.tree.find_mut(Some(&id))
            {
                node.moving = Some(op);
            }
        }
    }
}

/// Says why a change is not even tried on a read-only account.
pub(super) fn refuse_change(state: &mut State) {
    let text = format!("{} is read-only: nothing was changed.", visible(&state.desk.account.name));
    state.say(Level::Warn, text);
}

/// Gives back what a task worked on.
pub(super) fn release(state: &mut State, op: OpId) {
    state.desk.listing.release(op);
    state.desk.tree.release(op);
}
