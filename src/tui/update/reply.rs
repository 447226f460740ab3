//! Routes the events of the engine, as their only reader. Answers that nobody waits for are
//! dropped. Answers never move the focus, and never close a dialog but the one that waits for them.

mod ended;
mod plan;
mod queue;
mod settled;

use jiff::SignedDuration;

use super::load;
use crate::api::{Error, Kind};
use crate::engine::{Event, OpId, Progress, SessionId};
use crate::tui::keymap::Action;
use crate::tui::pane::ask;
use crate::tui::pane::files::answers;
use crate::tui::pane::files::{delete, edit_text};
use crate::tui::state::effect::Effect;
use crate::tui::state::{BackgroundAccount, ConnectionLoss, Freshness, MessageLevel, Read, State};
use crate::tui::widget::figures;

pub(super) fn event(state: &mut State, session: SessionId, event: Event) {
    edit_text::discard_needless(state, &event);
    let may_be_over = matches!(event, Event::Queue(_));
    let has_ended = matches!(event, Event::Ended(_));
    state.with_session(session, |state| apply(state, event));
    if let Some(comparing) = state.mode.comparing_mut().filter(|_| has_ended) {
        comparing.freshness = Freshness::Changed;
    }
    if may_be_over {
        close_if_over(state, session);
    }
}

/// Closes a session in the background that has nothing left to lose.
fn close_if_over(state: &mut State, session: SessionId) {
    let is_shown = state
        .mode
        .other_account()
        .is_some_and(|it| it.session == session);
    let is_over = |other: &BackgroundAccount| {
        other.session.id() == session && !other.session.is_worth_keeping() && !is_shown
    };
    if let Some(at) = state.background_at(is_over) {
        state.background_accounts.remove(at);
        state.effects.push(Effect::Close(session));
    }
}

/// Applies an event to the account that it belongs to.
fn apply(state: &mut State, event: Event) {
    match event {
        Event::Progress { op, progress } => {
            state.session.ops.advance_read(op, &progress, state.now);
            match progress {
                Progress::Found { files, bytes } => plan::found(state, op, files, bytes),
                Progress::FolderSizes(sizes) => delete::measured_so_far(state, op, sizes),
                Progress::Looked(count) => answers::looked_at(state, op, count),
                _ => {}
            }
        }
        Event::Budget(budget) => state.session.take_budget(budget, state.now),
        Event::Clock { ahead } => clock(state, ahead),
        Event::Granted(grant) => state.session.denied_actions.grant(grant),
        Event::Part { op, entries } => answers::part(state, op, entries),
        Event::Plan { op, news } => plan::news(state, op, news),
        Event::Done { op, result } => {
            let was_lost = state.session.connection.is_lost();
            let read = state.session.ops.end_read(op);
            // The bytes of a preview come from another host, whose answers say nothing about the
            // connection to the service.
            if !matches!(read, Some(Read::PreviewRead(_) | Read::GridRead(_))) {
                state.session.connection.heard(&result, state.now);
            }
            let is_back = was_lost && !state.session.connection.is_lost();
            let is_listed = matches!(
                read,
                Some(Read::PageRead(_) | Read::RefreshRead(_) | Read::WholeRead(_))
            );
            if let Some(read) = read {
                ask::answered(state, op, read, result);
            }
            if is_back {
                say_back(state);
                load::again_after_return(state, is_listed);
            }
        }
        Event::Cancelled { op } => {
            failed(
                state,
                op,
                Error::new(Kind::Refused, "The request was canceled."),
            );
        }
        Event::Settled { batch, settled } => settled::settled(state, batch, settled),
        Event::Ended(batch) => ended::ended(state, &batch),
        Event::Queue(view) => queue::view(state, *view),
    }
    state.count_inside();
}

/// Handles a request that the engine did not accept: nothing was sent.
pub(super) fn refused(state: &mut State, op: OpId) {
    let why = if state.session.is_closed {
        let key = state
            .keymap
            .key_of(state.context(), Action::Accounts)
            .unwrap_or_default();
        format!("The account is not open; nothing was sent. {key} opens it")
    } else {
        "Too many requests are waiting; nothing was sent. Try again in a moment.".to_owned()
    };
    let error = Error::new(Kind::Refused, why);
    state.with_session(op.session, |state| failed(state, op, error));
}

/// Fails the reads for which `wanted` holds: the session is closed, so nobody answers them. Their
/// handlers cannot send new requests to it.
pub(super) fn unanswered(state: &mut State, wanted: impl Fn(&Read) -> bool) {
    let before = state.effects.len();
    for (op, read) in state.session.ops.end_reads(wanted) {
        let error = closed(&read);
        ask::answered(state, op, read, Err(error));
    }
    state.effects.truncate(before);
}

/// The error of a read whose session was closed. The queue may have accepted the request before.
fn closed(read: &Read) -> Error {
    let in_doubt = matches!(read, Read::QueueRead(_) | Read::ControlRead(_));
    Error {
        in_doubt,
        ..Error::new(
            Kind::Refused,
            "The account was closed before the answer arrived.",
        )
    }
}

/// Says that the service is back, in place of the message about its loss.
fn say_back(state: &mut State) {
    let last = state
        .activity
        .iter()
        .next()
        .and_then(|entry| entry.error.as_ref());
    if last.is_some_and(|error| ConnectionLoss::of(error.kind).is_some()) {
        state.status.clear();
    }
    state.mention(MessageLevel::Info, "The service is reachable again.");
}

/// Warns once that the clocks disagree, because files have the service's times.
fn clock(state: &mut State, ahead: SignedDuration) {
    let did_agree = state.service_now().timestamp() == state.now;
    state.session.clock_ahead = ahead;
    if did_agree && state.service_now().timestamp() != state.now {
        let (off, which) = (
            figures::elapsed(ahead.abs().as_secs().unsigned_abs()),
            if ahead.is_negative() {
                "ahead of"
            } else {
                "behind"
            },
        );
        let text = format!(
            "This machine's clock is {off} {which} the service's. Ages and expiries use the service's clock."
        );
        state.say(MessageLevel::Warn, text);
    }
}

fn failed(state: &mut State, op: OpId, error: Error) {
    if let Some(read) = state.session.ops.end_read(op) {
        ask::answered(state, op, read, Err(error));
    }
}
