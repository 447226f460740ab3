//! The tasks view: tells the queue to pause, go on, cancel, do again, hurry, and which rows to show.

use super::browse::page_rows;
use super::submit;
use crate::engine::Request;
use crate::engine::batch::{Batch, BatchState, Control};
use crate::tui::keymap::Action;
use crate::tui::message::Effect;
use crate::tui::state::{Level, Read, State, View};
use crate::tui::widget::figures;

/// Pauses the task under the cursor, or goes on with one that is held.
pub(super) fn pause(state: &mut State) -> Vec<Effect> {
    match live(state) {
        Some(Batch { state: BatchState::Held(_), .. }) => resume(state),
        Some(batch) => vec![tell(state, Control::Pause(batch.id))],
        None => Vec::new(),
    }
}

pub(super) fn cancel(state: &mut State) -> Vec<Effect> {
    live(state).map(|batch| tell(state, Control::Cancel(batch.id))).into_iter().collect()
}

pub(super) fn sooner(state: &mut State) -> Vec<Effect> {
    live(state).map(|batch| tell(state, Control::Sooner(batch.id))).into_iter().collect()
}

/// Does again what failed or was cancelled of the task under the cursor, or goes on with what waits.
pub(super) fn retry(state: &mut State) -> Vec<Effect> {
    match state.desk.tasks.selected() {
        Some(Batch { state: BatchState::Held(_), .. }) => resume(state),
        Some(batch) if batch.can_retry() => {
            let (id, is_change) = (batch.id, batch.verb.is_change());
            if is_refused(state, is_change) {
                return Vec::new();
            }
            state.desk.tasks.busy.again(id);
            vec![tell(state, Control::Retry(id))]
        }
        _ => {
            state.say(Level::Hint, "Only what failed, was cancelled or waits can be started again.");
            Vec::new()
        }
    }
}

pub(super) fn retry_failed(state: &mut State) -> Vec<Effect> {
    if !state.desk.tasks.can_retry_failed() {
        let is_live = state.desk.tasks.totals().failed > 0;
        let text =
            if is_live { "What failed can be started again when its task has ended." } else { "Nothing has failed." };
        state.say(Level::Hint, text);
        return Vec::new();
    }
    let failed: Vec<_> = state.desk.tasks.known().filter(|batch| batch.has_failed()).collect();
    let is_change = failed.iter().any(|batch| batch.verb.is_change());
    let ids: Vec<_> = failed.iter().map(|batch| batch.id).collect();
    if is_refused(state, is_change) {
        return Vec::new();
    }
    for id in ids {
        state.desk.tasks.busy.again(id);
    }
    vec![tell(state, Control::RetryFailed)]
}

fn resume(state: &mut State) -> Vec<Effect> {
    let Some(batch) = state.desk.tasks.selected() else { return Vec::new() };
    let (id, is_change) = (batch.id, batch.verb.is_change());
    if is_refused(state, is_change) {
        return Vec::new();
    }
    // Who asks is told again if it has to wait for the same reason.
    state.desk.tasks.causes.remove(&id);
    vec![tell(state, Control::Resume(id))]
}

/// Begins nothing new, or goes on.
pub(super) fn drain(state: &mut State) -> Vec<Effect> {
    let control = Control::Drain(!state.desk.tasks.totals().draining);
    vec![tell(state, control)]
}

pub(super) fn clear(state: &mut State) -> Vec<Effect> {
    let tasks = &state.desk.tasks;
    let ended = tasks.len().saturating_sub(tasks.totals().live);
    let failed = tasks.known().filter(|batch| batch.has_failed()).count();
    if ended == 0 {
        state.say(Level::Hint, "No task has ended.");
        return Vec::new();
    }
    let key = state.keymap.key_of(state.context(), Action::ClearTasks).unwrap_or_default();
    let then = match ended.saturating_sub(failed) {
        0 => format!("{} cleared.", figures::count(ended, "task")),
        well if failed == 0 => format!("{} cleared.", figures::count(well, "task")),
        well => {
            format!("{} cleared. {failed} FAILED kept; {key} again clears that too.", figures::count(well, "task"))
        }
    };
    vec![order(state, Control::ClearEnded, Some(then))]
}

/// Asks the queue for the rows around the cursor, where they are shown and are not known.
pub(super) fn watch(state: &mut State) -> Option<Effect> {
    let tasks = &state.desk.tasks;
    let rows = if state.view == View::Tasks { page_rows(state) } else { 0 };
    let shown = state.window(tasks.stand, tasks.row(), tasks.len(), rows);
    let (around, asked) = tasks.watched;
    let is_lacking = !tasks.covers(shown) && around != tasks.cursor();
    if rows == asked && !(rows > 0 && is_lacking) {
        return None;
    }
    let around = tasks.cursor().filter(|_| rows > 0);
    state.desk.tasks.watched = (around, rows);
    Some(tell(state, Control::Watch { around, rows }))
}

/// The task under the cursor; says why when it cannot be told anything.
fn live(state: &mut State) -> Option<Batch> {
    let selected = state.desk.tasks.selected();
    if let Some(batch) = selected.filter(|batch| batch.is_live()) {
        return Some(batch.clone());
    }
    let text = if selected.is_some() { "This task has ended." } else { "There are no tasks." };
    state.say(Level::Hint, text);
    None
}

/// Whether the account is only for reading; then it is said.
fn is_refused(state: &mut State, is_change: bool) -> bool {
    let is_refused = is_change && state.desk.account.read_only;
    if is_refused {
        submit::refuse_change(state);
    }
    is_refused
}

fn tell(state: &mut State, control: Control) -> Effect {
    order(state, control, None)
}

fn order(state: &mut State, control: Control, then: Option<String>) -> Effect {
    let op = state.desk.ops.read(Read::Control { control, then });
    Effect::Submit(op, Request::Control(control))
}
