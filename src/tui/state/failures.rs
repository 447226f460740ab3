//! The failed items of a batch, for its details.

use crate::api::Error;
use crate::engine::batch::BatchId;

/// The failures of a batch. While a newer list is requested, `list` is still the previous one.
#[derive(Debug, Clone)]
pub struct Failures {
    pub batch: BatchId,
    /// The number of failures when the list was requested.
    pub failed: usize,
    /// Each item, safe to show, and its error.
    pub list: Vec<(String, Error)>,
}
