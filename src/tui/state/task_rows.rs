//! The rows of the tasks view: batches, jobs below the unfolded ones, and the heading of those that
//! ended before this run. Plain data.

use std::sync::Arc;

use super::reads::JobsRead;
use crate::engine::batch::{Batch, BatchId, JobId};
use crate::engine::queue_view::BatchJob;

#[derive(Debug, Clone, Copy)]
pub enum TaskRow<'a> {
    Batch(&'a Batch),
    Job(&'a BatchJob),
    /// The heading of tasks that ended before this run.
    Older(OlderTasks),
}

/// Batches that ended before this run began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OlderTasks {
    pub count: usize,
    /// The number of those with failures.
    pub failed: usize,
    pub is_unfolded: bool,
}

/// The target of the cursor.
#[derive(Debug, Clone, Copy)]
pub(super) struct TaskCursor {
    /// `None` on the heading of older tasks.
    pub(super) batch: Option<BatchId>,
    /// The number of rows from its batch's own down to it.
    pub(super) below: usize,
    /// The job last seen there.
    pub(super) job: Option<JobId>,
}

/// A batch, or the heading of older ones, and its row.
#[derive(Debug, Clone)]
pub(super) struct TaskEntry {
    pub(super) row: usize,
    pub(super) batch: Option<Arc<Batch>>,
}

/// The jobs of an unfolded batch, as far as they are known.
#[derive(Debug, Clone, Default)]
pub(super) struct KnownJobs {
    /// The index of the first one.
    pub(super) first: usize,
    pub(super) jobs: Vec<BatchJob>,
    /// The last question about them.
    pub(super) asked: Option<JobsRead>,
}
