//! What failed of a batch, for its details.

use crate::api::Error;
use crate::engine::batch::BatchId;

/// An answer of the queue, or the wait for it.
#[derive(Debug, Clone)]
pub struct Failures {
    pub batch: BatchId,
    /// How many had failed when this was asked for.
    pub failed: usize,
    /// What each worked on, safe to show, and why it failed.
    pub list: Vec<(String, Error)>,
}
