//! The queue as it is shown: at a glance, and row by row, batches and below each that is unfolded its jobs. Plain data.

use jiff::Timestamp;

use super::batch::{Batch, BatchId, JobId, RowPlace, RunningJob};
use super::job::{Job, JobKind};
use crate::api::Error;

/// The queue at a glance, and the batches that are asked for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct QueueView {
    pub totals: Totals,
    /// The first ones in order of urgency: running, held, failed, queued, then the ended ones, the last one first. What
    /// ended before this run began is not among them.
    pub top: Vec<Batch>,
    /// The rows around the one that is watched: batches in the same order, with the jobs of those that are unfolded.
    pub window: Vec<QueueRow>,
    /// How many rows are before the window.
    pub before: usize,
    /// The first row and the last of all.
    pub ends: Option<(RowPlace, RowPlace)>,
    /// How many rows there are.
    pub count: usize,
    /// How many batches there are.
    pub batches: usize,
    /// What ended before this run began: one row, which lists them when it is unfolded.
    pub older: OlderTasks,
}

/// Batches that ended before this run began.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OlderTasks {
    pub count: usize,
    /// With failures.
    pub failed: usize,
    pub is_unfolded: bool,
}

impl OlderTasks {
    /// The id that their row has instead of a batch's.
    pub const ID: BatchId = BatchId(i64::MIN);
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Totals {
    /// Jobs under way, by kind.
    pub running: Vec<(JobKind, usize)>,
    /// Jobs that wait for their turn.
    pub queued: usize,
    /// Jobs that are held.
    pub held: usize,
    /// Jobs that failed and were neither retried nor cleared.
    pub failed: usize,
    /// Batches that have not ended.
    pub unfinished: usize,
    /// Nothing more is begun until that is taken back.
    pub draining: bool,
}

/// One row: a batch, or one of its jobs.
#[derive(Debug, Clone, PartialEq)]
pub enum QueueRow {
    Batch(Batch),
    Job(BatchJob),
    /// Over those that ended before this run began.
    Older(OlderTasks),
}

/// A job of a batch as it is. Listed are those under way first, then what failed, waits, was cancelled, is done.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchJob {
    pub id: JobId,
    /// So many rows below its batch.
    pub below: usize,
    pub job: Job,
    pub state: JobState,
    /// How many it moves, if that is known.
    pub bytes: Option<u64>,
    pub started_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum JobState {
    Waiting,
    Running(RunningJob),
    Done,
    Failed(Error),
    /// Not begun, or given up; then it may be done all the same.
    Cancelled {
        in_doubt: bool,
    },
}

impl QueueRow {
    pub fn batch(&self) -> Option<&Batch> {
        if let Self::Batch(batch) = self { Some(batch) } else { None }
    }

    pub fn place(&self) -> RowPlace {
        match self {
            Self::Batch(batch) => RowPlace { batch: batch.id, below: 0 },
            Self::Job(job) => RowPlace { batch: job.id.batch, below: job.below },
            Self::Older(_) => RowPlace { batch: OlderTasks::ID, below: 0 },
        }
    }
}

impl BatchJob {
    /// Whether it can be done again.
    pub fn can_retry(&self) -> bool {
        matches!(self.state, JobState::Failed(_) | JobState::Cancelled { .. })
    }

    /// Whether it has not ended.
    pub fn is_live(&self) -> bool {
        matches!(self.state, JobState::Waiting | JobState::Running(_))
    }
}
