//! What the engine of a session tells that the user has left: how its tasks go. Everything else of it is dropped.

use super::ended;
use crate::api::text::visible;
use crate::engine::{Event, Outcome, SessionId};
use crate::tui::message::Effect;
use crate::tui::state::{Read, State};

pub(super) fn event(state: &mut State, session: SessionId, event: Event) -> Vec<Effect> {
    let now = state.now;
    let Some(at) = state.away.iter().position(|away| away.ops.session() == session) else { return Vec::new() };
    let Some(away) = state.away.get_mut(at) else { return Vec::new() };
    match event {
        Event::Done { op, result } => match (away.ops.end_read(op), result) {
            (Some(_), Ok(Outcome::Queued(batch))) => away.tasks.busy.queued(op, batch),
            (Some(Read::Queue { what }), Err(error)) => {
                away.tasks.busy.refused(op);
                let what = format!("{}: {what}", visible(away.account.name()));
                state.say_failed(&what, &error);
            }
            _ => {}
        },
        Event::Settled { batch, settled } => away.tasks.settle(batch, settled),
        Event::Ended(batch) => {
            let (words, account) = (ended::take(&mut away.tasks, &batch), visible(away.account.name()).into_owned());
            words.of(&account).say(state);
        }
        Event::Queue(view) => {
            away.tasks.take(*view, now);
            if !away.tasks.is_at_work() && !away.ops.is_queueing() {
                state.away.remove(at);
                return vec![Effect::Close(session)];
            }
        }
        Event::Progress { .. } | Event::Cancelled { .. } | Event::Part { .. } | Event::Budget(_) => {}
    }
    Vec::new()
}
