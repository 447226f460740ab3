//! The failed items of a batch, for its details.

use crate::api::Error;
use crate::engine::batch::BatchId;

/// The queue's answer; `list` is empty while waiting for it.
#[derive(Debug, Clone)]
pub struct Failures {
    pub batch: BatchId,
    /// The number of failures when the list was requested.
    pub failed: usize,
    /// Each item, safe to show, and its error.
    pub list: Vec<(String, Error)>,
}
