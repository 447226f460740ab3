//! What the engine tells, put where it belongs: the only reader of its events. An answer that nobody waits for any more
//! is dropped. Answers never move the focus and never close a dialog.

mod away;
mod ended;
mod gone;
mod limits;
mod listing;
mod plan;
mod queue;
mod reads;
mod settled;

use jiff::SignedDuration;

use super::delete;
use super::listing as reading;
use super::load;
use crate::api::{Error, Kind};
use crate::engine::{Event, OpId, Progress, SessionId};
use crate::tui::keymap::Action;
use crate::tui::message::Effect;
use crate::tui::state::{Level, Loss, Read, State};
use crate::tui::widget::figures;

pub(super) fn event(state: &mut State, session: SessionId, event: Event) -> Vec<Effect> {
    if session != state.desk.ops.session() {
        return away::event(state, session, event);
    }
    let mut effects = Vec::new();
    match event {
        Event::Progress { op, progress } => {
            state.desk.ops.advance_read(op, &progress, state.now);
            match progress {
                Progress::Found { files, bytes } => plan::found(state, op, files, bytes),
                Progress::Weighed(weights) => delete::weighed_so_far(state, op, weights),
                Progress::Looked(count) => listing::looked_at(state, op, count),
                _ => {}
            }
        }
        Event::Budget(budget) => state.desk.take_budget(budget, state.now),
        Event::Clock { ahead } => clock(state, ahead),
        Event::Part { op, entries } => listing::part(state, op, entries),
        Event::Plan { op, news } => effects = plan::news(state, op, news),
        Event::Done { op, result } => {
            let was_lost = state.desk.line.is_lost();
            let read = state.desk.ops.end_read(op);
            // The bytes of a preview are at a host of their own, which tells nothing of the line to the service.
            if read != Some(Read::Preview) {
                state.desk.line.heard(&result, state.now);
            }
            let is_back = was_lost && !state.desk.line.is_lost();
            let is_listed = read == Some(Read::Listing);
            if let Some(read) = read {
                effects = reads::done(state, op, read, result);
            }
            if is_back {
                say_back(state);
                effects.extend(load::again_after_return(state, is_listed));
            }
        }
        Event::Cancelled { op } => {
            failed(state, op, &Error::new(Kind::Refused, "The request was cancelled."));
        }
        Event::Settled { batch, settled } => effects = settled::settled(state, batch, settled),
        Event::Ended(batch) => effects = ended::ended(state, &batch),
        Event::Queue(view) => queue::view(state, *view),
    }
    effects.extend(reading::next_page(state));
    state.desk.count_inside();
    effects
}

/// The engine had no room for a request: nothing was sent.
pub(super) fn refused(state: &mut State, op: OpId) -> Vec<Effect> {
    let why = if state.desk.is_closed {
        let key = state.keymap.key_of(state.context(), Action::Accounts).unwrap_or_default();
        format!("The account is not open; nothing was sent. {key} opens it")
    } else {
        "Too much is waiting already; nothing was sent. Try again in a moment.".to_owned()
    };
    let error = Error::new(Kind::Refused, why);
    if op.session != state.desk.ops.session() {
        return away::event(state, op.session, Event::Done { op, result: Err(error) });
    }
    failed(state, op, &error);
    Vec::new()
}

/// Says that the service is back, in the place of what was said of its loss.
fn say_back(state: &mut State) {
    let last = state.activity.iter().next().and_then(|entry| entry.error.as_ref());
    if last.is_some_and(|error| Loss::of(error.kind).is_some()) {
        state.status.clear();
    }
    state.say(Level::Info, "The service answers again.");
}

/// Says once that the clocks do not agree: files have the service's times.
fn clock(state: &mut State, ahead: SignedDuration) {
    let did_agree = state.service_now().timestamp() == state.now;
    state.desk.ahead = ahead;
    if did_agree && state.service_now().timestamp() != state.now {
        let (off, which) = (
            figures::elapsed(ahead.abs().as_secs().unsigned_abs()),
            if ahead.is_negative() { "ahead of" } else { "behind" },
        );
        let text = format!(
            "This machine's clock is {off} {which} the service's. Ages and expiries of files are counted by the service's."
        );
        state.say(Level::Warn, text);
    }
}

fn failed(state: &mut State, op: OpId, error: &Error) {
    if let Some(read) = state.desk.ops.end_read(op) {
        reads::failed(state, op, read, error);
    }
}
