//! Handles the events of a background session: the progress of its tasks. All others are dropped.

use super::{ended, queue};
use crate::api::text::visible;
use crate::engine::queue_view::QueueView;
use crate::engine::{Answer, Event, SessionId};
use crate::tui::state::effect::Effect;
use crate::tui::state::{AccountSession, QueueRead, Read, State};

pub(super) fn event(state: &mut State, session: SessionId, event: Event) {
    let Some(away) = find(state, session) else {
        return;
    };
    match event {
        Event::Done { op, result } => match (away.ops.end_read(op), result) {
            (Some(_), Ok(Answer::AddJobs(batch))) => away.tasks.busy.queued(op, batch),
            (Some(Read::QueueRead(QueueRead { what, .. })), Err(error)) => {
                away.tasks.busy.refused(op);
                let what = format!("{}: {what}", visible(away.account.name()));
                state.say_failed(&what, &error);
            }
            _ => {}
        },
        Event::Settled { batch, settled } => {
            away.tasks.settle(batch, settled, away.clock_ahead);
        }
        Event::Ended(batch) => {
            let (message, account) = (
                ended::remove_batch(&mut away.tasks, &batch),
                visible(away.account.name()).into_owned(),
            );
            let message = message.of(&account);
            message.notify(state, &batch);
            message.say(false, state);
        }
        Event::Clock { ahead } => away.clock_ahead = ahead,
        Event::Granted(grant) => away.denied_actions.grant(grant),
        Event::Queue(view) => stands(state, session, *view),
        Event::Progress { .. }
        | Event::Cancelled { .. }
        | Event::Part { .. }
        | Event::Plan { .. }
        | Event::Budget(_) => {}
    }
}

/// Applies the state of the queue and says why tasks wait. A session whose tasks have all ended or
/// wait for the user is closed.
fn stands(state: &mut State, session: SessionId, view: QueueView) {
    let now = state.now;
    let Some(away) = find(state, session) else {
        return;
    };
    away.tasks.set_view(view, now);
    let (account, is_over) = (visible(away.account.name()).into_owned(), !away.goes_on());
    let news = state
        .background_sessions
        .iter()
        .filter(|away| away.id() == session);
    let news: Vec<_> = news
        .flat_map(|away| queue::causes(&away.tasks, state))
        .collect();
    for (id, what, error) in news {
        state.say_failed(&format!("{account}: {what}"), &error);
        if let Some(away) = find(state, session) {
            away.tasks.causes.insert(id, error);
        }
    }
    if is_over {
        state
            .background_sessions
            .retain(|away| away.id() != session);
        state.effects.push(Effect::Close(session));
    }
}

fn find(state: &mut State, session: SessionId) -> Option<&mut AccountSession> {
    state
        .background_sessions
        .iter_mut()
        .find(|away| away.id() == session)
}
