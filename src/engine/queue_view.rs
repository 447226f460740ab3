//! The queue as it is shown: at a glance, and row by row, batches with the jobs of the unfolded
//! ones below. Plain data.

use jiff::Timestamp;

use super::batch::{Batch, BatchId, JobId, RowPlace, RunningJob};
use super::job::{Job, JobKind};
use crate::api::Error;

/// The queue at a glance, and the requested rows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct QueueView {
    pub totals: Totals,
    /// The first batches in order of urgency: running, held, failed, queued, then the ended ones,
    /// last one first. Without those that ended before this run began.
    pub top: Vec<Batch>,
    /// The rows around the watched one: batches in the same order, with the jobs of the unfolded
    /// ones.
    pub window: Vec<QueueRow>,
    /// The number of rows before the window.
    pub before: usize,
    /// The first and the last of all rows.
    pub ends: Option<(RowPlace, RowPlace)>,
    /// The number of all rows.
    pub count: usize,
    pub batches: usize,
    /// The batches that ended before this run began, in one row, which lists them when it is
    /// unfolded.
    pub older: OlderTasks,
}

/// Batches that ended before this run began.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OlderTasks {
    pub count: usize,
    /// The number of those with failures.
    pub failed: usize,
    pub is_unfolded: bool,
}

impl OlderTasks {
    /// The id that their row has instead of a batch's.
    pub const ID: BatchId = BatchId(i64::MIN);
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Totals {
    pub running: Vec<(JobKind, usize)>,
    pub queued: usize,
    pub held: usize,
    /// Jobs that failed and were neither retried nor cleared.
    pub failed: usize,
    /// Batches that have not ended.
    pub unfinished: usize,
    /// Set while nothing more is started.
    pub draining: bool,
}

/// One row: a batch, or one of its jobs.
#[derive(Debug, Clone, PartialEq)]
pub enum QueueRow {
    Batch(Batch),
    Job(BatchJob),
    /// The row above those that ended before this run began.
    Older(OlderTasks),
}

/// A job of a batch. Jobs are listed by state: running, failed, waiting, cancelled, done.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchJob {
    pub id: JobId,
    /// The number of rows from its batch's own down to this one.
    pub below: usize,
    pub job: Job,
    pub state: JobState,
    /// The bytes that it moves, if known.
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
    /// Not started, or given up; then it may be done all the same.
    Cancelled {
        in_doubt: bool,
    },
}

impl QueueRow {
    pub fn batch(&self) -> Option<&Batch> {
        if let Self::Batch(batch) = self {
            Some(batch)
        } else {
            None
        }
    }

    pub fn place(&self) -> RowPlace {
        match self {
            Self::Batch(batch) => RowPlace {
                batch: batch.id,
                below: 0,
            },
            Self::Job(job) => RowPlace {
                batch: job.id.batch,
                below: job.below,
            },
            Self::Older(_) => RowPlace {
                batch: OlderTasks::ID,
                below: 0,
            },
        }
    }
}

impl BatchJob {
    pub fn can_retry(&self) -> bool {
        matches!(self.state, JobState::Failed(_) | JobState::Cancelled { .. })
    }

    /// The error of a failed job that would fail again.
    pub fn final_failure(&self) -> Option<&Error> {
        match &self.state {
            JobState::Failed(error) => Some(error).filter(|error| error.is_final()),
            _ => None,
        }
    }

    pub fn is_live(&self) -> bool {
        matches!(self.state, JobState::Waiting | JobState::Running(_))
    }
}
