//! The row that the cursor rests on, and since when: details are requested where it stops, not
//! where it passes.

use jiff::{SignedDuration, Timestamp};

use crate::engine::message::Target;

/// The row under the cursor and the time it got there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CursorIdle<T = Target> {
    target: Option<T>,
    since: Option<Timestamp>,
    /// Set once the rest was reported.
    is_told: bool,
}

/// The time that counts as a rest, longer than the interval of a repeating key.
const AFTER: SignedDuration = SignedDuration::from_millis(300);

impl<T> Default for CursorIdle<T> {
    fn default() -> Self {
        Self {
            target: None,
            since: None,
            is_told: false,
        }
    }
}

impl<T: Clone + PartialEq> CursorIdle<T> {
    pub fn at(&mut self, target: Option<&T>, now: Timestamp) {
        if self.target.as_ref() != target {
            *self = Self {
                target: target.cloned(),
                since: Some(now),
                is_told: false,
            };
        }
    }

    /// The time at which the cursor counts as resting.
    pub fn at_rest(&self) -> Option<Timestamp> {
        self.since?.checked_add(AFTER).ok()
    }

    /// Like `at_rest`; `None` once the rest was reported.
    pub fn due(&self) -> Option<Timestamp> {
        self.at_rest().filter(|_| !self.is_told)
    }

    /// Returns `true` once when the cursor has come to rest.
    pub fn is_over(&mut self, now: Timestamp) -> bool {
        let is_over = self.due().is_some_and(|due| due <= now);
        self.is_told |= is_over;
        is_over
    }
}
