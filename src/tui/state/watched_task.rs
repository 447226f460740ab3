//! A service task that was looked up by its id and is polled until it ends.

use jiff::{SignedDuration, Timestamp};

use crate::api::ids::TaskId;

/// The last such task that had not ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchedTask {
    pub id: TaskId,
    /// The time of the next poll.
    pub next: Timestamp,
}

/// The same as the longest poll interval of queued tasks (`contract.md#tasks`).
const EVERY: SignedDuration = SignedDuration::from_secs(5);

impl WatchedTask {
    pub fn new(id: TaskId, now: Timestamp) -> Self {
        Self {
            id,
            next: now.saturating_add(EVERY).unwrap_or(now),
        }
    }
}
