//! A task of the service that was looked up by its id, and is asked about again until it ends.

use jiff::{SignedDuration, Timestamp};

use crate::api::ids::TaskId;

/// The last one that was looked up and had not ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchedTask {
    pub id: TaskId,
    /// When it is asked about next.
    pub next: Timestamp,
}

/// As long as the last waits of the tasks that the queue follows (`contract.md#tasks`).
const EVERY: SignedDuration = SignedDuration::from_secs(5);

impl WatchedTask {
    /// One that was asked about just now.
    pub fn new(id: TaskId, now: Timestamp) -> Self {
        Self { id, next: now.saturating_add(EVERY).unwrap_or(now) }
    }
}
