//! Handles the state of the queue. Reports once which tasks an earlier session has left, and why
//! tasks wait.

use std::sync::Arc;

use jiff::Timestamp;

use crate::api::Error;
use crate::engine::batch::{Batch, BatchId, BatchState, Hold};
use crate::engine::queue_view::QueueView;
use crate::tui::keymap::Action;
use crate::tui::state::{MessageLevel, State};
use crate::tui::widget::figures;
use crate::tui::wording::{progress, task};

pub(super) fn view(state: &mut State, view: QueueView) {
    let now = state.now;
    state.session.tasks.set_view(view, now);
    if let Some(since) = state.session.tasks.since.take() {
        say_what_was_left(state, since);
    }
    say_causes(state);
}

/// Reports the tasks of an earlier session: those that wait for a key, and those that continue by
/// themselves.
fn say_what_was_left(state: &mut State, since: Timestamp) {
    let left = || {
        state
            .session
            .tasks
            .current()
            .iter()
            .filter(|batch| batch.asked_at < since && batch.is_live())
    };
    let is_waiting = |batch: &&Arc<Batch>| batch.state == BatchState::Held(Hold::Restarted);
    let waiting = left().filter(is_waiting).count();
    let going_on = left()
        .filter(|batch| !matches!(batch.state, BatchState::Held(_)))
        .count();
    let key = state
        .keymap
        .key_of(state.context(), Action::ViewTasks)
        .unwrap_or_default();
    let kind = |count, singular, plural| if count == 1 { singular } else { plural };
    let goes = kind(going_on, "continues", "continue");
    match (waiting, going_on) {
        (0, 0) => {}
        (0, _) => {
            state.mention(
                MessageLevel::Info,
                format!(
                    "{} of an earlier session {goes}.",
                    figures::count(going_on, "task")
                ),
            );
        }
        (waiting, going_on) => {
            let waits = kind(waiting, "waits", "wait");
            let others = if going_on > 0 {
                format!(", {going_on} more {goes}")
            } else {
                String::new()
            };
            let tasks = figures::count(waiting, "task");
            state.mention(
                MessageLevel::Warn,
                format!("{tasks} of an earlier session {waits}{others}: {key} shows them."),
            );
        }
    }
}

/// Reports why tasks wait, each reason once.
fn say_causes(state: &mut State) {
    for (id, what, error) in causes(state) {
        state.say_failed(&what, &error);
        if let Some(kind) = state.session.tasks.batch(id).map(|batch| batch.kind) {
            state.session.denied_actions.record(kind, Some(&error));
        }
        state.session.tasks.causes.insert(id, error);
    }
}

/// The tasks whose reason to wait was not reported yet: in words, and the reason.
fn causes(state: &State) -> Vec<(BatchId, String, Error)> {
    let tasks = &state.session.tasks;
    let cause = |batch: &Arc<Batch>| match &batch.state {
        BatchState::Held(Hold::Cause { error, until }) => {
            let waits = until
                .map(|until| format!("{} and continues then", progress::waits_until(until, state)));
            let waits = waits.unwrap_or_else(|| "waits".to_owned());
            Some((
                batch.id,
                format!(
                    "{} {waits}, {}",
                    batch.kind.noun(),
                    task::short(batch.kind, &batch.label, state)
                ),
                error.clone(),
            ))
        }
        _ => None,
    };
    let is_new = |(id, _, error): &(BatchId, String, Error)| tasks.causes.get(id) != Some(error);
    tasks
        .current()
        .iter()
        .filter_map(cause)
        .filter(is_new)
        .collect()
}
