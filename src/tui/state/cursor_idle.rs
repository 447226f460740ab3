//! Where the cursor rests, and since when: the details of a row are asked for where it stays, not where it passes.

use jiff::{SignedDuration, Timestamp};

use crate::engine::message::Target;

/// What is under the cursor since it came there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CursorIdle<T = Target> {
    target: Option<T>,
    since: Option<Timestamp>,
    /// That it rests was taken note of.
    is_told: bool,
}

/// Long enough for a key that repeats.
const AFTER: SignedDuration = SignedDuration::from_millis(300);

impl<T> Default for CursorIdle<T> {
    fn default() -> Self {
        Self { target: None, since: None, is_told: false }
    }
}

impl<T: Clone + PartialEq> CursorIdle<T> {
    /// Takes note of what is under the cursor.
    pub fn at(&mut self, target: Option<&T>, now: Timestamp) {
        if self.target.as_ref() != target {
            *self = Self { target: target.cloned(), since: Some(now), is_told: false };
        }
    }

    /// When it will have rested for a while, or has.
    pub fn at_rest(&self) -> Option<Timestamp> {
        self.since?.checked_add(AFTER).ok()
    }

    /// When it will have rested for a while; none once that was taken note of.
    pub fn due(&self) -> Option<Timestamp> {
        self.at_rest().filter(|_| !self.is_told)
    }

    /// Whether it has rested for a while now: says so once.
    pub fn is_over(&mut self, now: Timestamp) -> bool {
        let is_over = self.due().is_some_and(|due| due <= now);
        self.is_told |= is_over;
        is_over
    }
}
