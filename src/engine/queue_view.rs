//! The queue at a glance: all batches, and totals. Plain data.

use std::sync::Arc;

use jiff::Timestamp;

use super::address_map::StoredCopy;
use super::batch::{Batch, BatchState, JobId, RunningJob};
use super::job::{Job, JobKind};
use crate::api::Error;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct QueueView {
    /// All batches in order of urgency: running, held, failed, queued, then the ended ones, last one
    /// first. Those that ended before this run began come after all others.
    pub batches: Vec<Arc<Batch>>,
    /// The number of those that ended before this run began.
    pub older: usize,
    pub totals: Totals,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Totals {
    pub running: Vec<(JobKind, usize)>,
    pub queued: usize,
    pub held: usize,
    /// Batches that have not ended.
    pub unfinished: usize,
    /// Set while nothing more is started.
    pub draining: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct BatchJob {
    pub id: JobId,
    pub job: Job,
    pub state: JobState,
    /// The bytes that it moves, if known.
    pub bytes: Option<u64>,
    pub started_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    /// The result, for a copy from an account.
    pub stored: Option<StoredCopy>,
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

impl QueueView {
    pub fn new(batches: Vec<Arc<Batch>>, older: usize, draining: bool) -> Self {
        let live = || batches.iter().filter(|batch| batch.is_live());
        let running = |kind: JobKind| {
            let batches = live().filter(|batch| batch.kind == kind);
            (kind, batches.map(|batch| batch.counts.running).sum())
        };
        let waiting = |is_held: bool| {
            live()
                .filter(|batch| matches!(batch.state, BatchState::Held(_)) == is_held)
                .map(|batch| batch.counts.waiting())
                .sum()
        };
        let running = JobKind::ALL.iter().copied().map(running);
        let totals = Totals {
            running: running.filter(|(_, count)| *count > 0).collect(),
            queued: waiting(false),
            held: waiting(true),
            unfinished: live().count(),
            draining,
        };
        Self {
            batches,
            older,
            totals,
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
