//! The picture requests of a grid: the visible ones once scrolling stops, then those just below.

use jiff::{SignedDuration, Timestamp};

use super::previews::PreviewKey;
use crate::engine::OpId;
use crate::engine::message::Target;

/// The pause after scrolling before anything is requested.
const AFTER: SignedDuration = SignedDuration::from_millis(100);
/// The most requests in flight.
const MOST_ASKED: usize = 6;

#[derive(Debug, Clone, Default)]
pub struct Gallery {
    /// The first visible row and the number of rows.
    top: Option<(Target, usize)>,
    since: Option<Timestamp>,
    asked: Vec<(PreviewKey, OpId)>,
}

impl Gallery {
    /// Records what is visible: the first row and the number of rows.
    pub fn at(&mut self, top: Option<(Target, usize)>, now: Timestamp) {
        if self.top != top {
            (self.top, self.since) = (top, Some(now));
        }
    }

    /// The time at which scrolling counts as stopped.
    pub fn at_rest(&self) -> Option<Timestamp> {
        self.since?.checked_add(AFTER).ok()
    }

    pub fn is_asked(&self, key: &PreviewKey) -> bool {
        self.asked.iter().any(|(asked, _)| asked == key)
    }

    /// The number of requests that may be sent now.
    pub fn room(&self) -> usize {
        MOST_ASKED.saturating_sub(self.asked.len())
    }

    pub fn ask(&mut self, key: PreviewKey, op: OpId) {
        self.asked.push((key, op));
    }

    /// Removes the request that was answered; `None` if it is no longer wanted.
    pub fn remove(&mut self, op: OpId) -> Option<PreviewKey> {
        let at = self.asked.iter().position(|(_, asked)| *asked == op)?;
        Some(self.asked.swap_remove(at).0)
    }

    /// Removes requests that are no longer wanted and returns their operations.
    pub fn give_up(&mut self, is_wanted: impl Fn(&PreviewKey) -> bool) -> Vec<OpId> {
        self.asked
            .extract_if(.., |(key, _)| !is_wanted(key))
            .map(|(_, op)| op)
            .collect()
    }
}
