//! The times at which something happens without a key.

use jiff::{SignedDuration, Timestamp};

use super::load;
use crate::tui::pane::component::Due;
use crate::tui::pane::table::PANES;
use crate::tui::state::{State, WHICH_KEY_AFTER};

const FRAME: SignedDuration = SignedDuration::from_millis(250);

/// The time until the next minute. Ages are shown to the minute, so one redraw a minute is enough.
fn until_the_minute(now: Timestamp) -> SignedDuration {
    const MINUTE: i64 = 60_000;
    SignedDuration::from_millis(MINUTE - now.as_millisecond().rem_euclid(MINUTE))
}

/// Brings the requests of all panes in line with the screen, and sends those that are due; a closed
/// session can send none.
pub(super) fn follow(state: &mut State) {
    if state.session.is_closed {
        return;
    }
    for (_, pane) in PANES {
        pane.follow(state);
    }
    // Only now: the rest of a cursor counts from the row that it is on.
    for (_, pane) in PANES {
        for due in pane.due(state) {
            send_if_due(state, &due);
        }
    }
    if let Some(due) = load::due(state) {
        send_if_due(state, &due);
    }
}

fn send_if_due(state: &mut State, due: &Due) {
    if due.at <= state.now {
        (due.send)(state);
    }
}

impl State {
    /// The time of the next `Msg::Clock`; `None` while nothing on the screen changes by itself.
    pub fn next_wake(&self) -> Option<Timestamp> {
        let after = |from: Timestamp, by| from.saturating_add(by).unwrap_or(from);
        let which_key = self
            .pending_since
            .map(|since| after(since, WHICH_KEY_AFTER));
        let frame = (self.is_moving() && !self.panes.plain).then(|| after(self.now, FRAME));
        let age = self
            .shows_ages()
            .then(|| after(self.now, until_the_minute(self.now)));
        let (news, budget) = (self.status.next_change(self.now), self.session.budget_until);
        let requests = (!self.session.is_closed).then(|| {
            let panes = PANES.iter().flat_map(|(_, pane)| pane.due(self));
            panes.chain(load::due(self)).map(|due| due.at)
        });
        // Times that have passed wait for something else, such as an answer.
        let others = [which_key, frame, age, news, budget].into_iter().flatten();
        let requests = requests.into_iter().flatten();
        requests.chain(others).filter(|at| *at > self.now).min()
    }

    fn shows_ages(&self) -> bool {
        self.files.listing.loaded_at.is_some() || self.session.limits.book.asked_at.is_some()
    }
}
