//! What the engine tells, put where it belongs: the only reader of its events. An answer that nobody waits for any more
//! is dropped. Answers never move the focus and never close a dialog.

mod gone;
mod listing;
mod reads;
mod tasks;

use super::listing as reading;
use super::submit;
use crate::api::{Error, Kind};
use crate::engine::{Event, OpId};
use crate::tui::message::Effect;
use crate::tui::state::{Level, State, Status};

pub(super) fn event(state: &mut State, event: Event) -> Vec<Effect> {
    let mut effects = match event {
        Event::Progress { op, progress } => {
            let now = state.now;
            state.desk.ops.advance_read(op, &progress, now);
            if let Some(task) = state.desk.ops.task_mut(op) {
                task.advance(progress, now);
            }
            Vec::new()
        }
        Event::Budget(budget) => {
            state.desk.take_budget(budget, state.now);
            Vec::new()
        }
        Event::Part { op, entries } => {
            listing::part(state, op, entries);
            Vec::new()
        }
        Event::Done { op, result } => match state.desk.ops.end_read(op) {
            Some(read) => {
                let effects = reads::done(state, op, read, result);
                submit::mark_busy(state);
                effects
            }
            None => tasks::done(state, op, result),
        },
        Event::Cancelled { op } => {
            cancelled(state, op);
            Vec::new()
        }
    };
    effects.extend(reading::next_page(state));
    effects
}

fn cancelled(state: &mut State, op: OpId) {
    if let Some(read) = state.desk.ops.end_read(op) {
        let error = Error::new(Kind::Refused, "The request was cancelled.");
        reads::failed(state, op, read, &error);
        return;
    }
    submit::release(state, op);
    let now = state.now;
    let Some(task) = state.desk.ops.task_mut(op).filter(|task| task.is_live()) else { return };
    task.end(Status::Cancelled, now);
    let text = if task.job.is_remote() {
        format!("No longer watching {}: the service goes on with it.", task.label)
    } else {
        format!("{} cancelled: {}", task.job.noun(), task.label)
    };
    state.say(Level::Info, text);
}

/// The engine had no room for a request: nothing was sent.
pub(super) fn refused(state: &mut State, op: OpId) -> Vec<Effect> {
    let error = Error::new(Kind::Refused, "Too much is waiting already; nothing was sent. Try again in a moment.");
    match state.desk.ops.end_read(op) {
        Some(read) => reads::failed(state, op, read, &error),
        None => tasks::failed(state, op, error),
    }
    Vec::new()
}
