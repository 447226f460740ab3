//! Batches as the queue reports them, in compact form.

use filedeck::engine::Job;
use std::sync::Arc;

use filedeck::engine::batch::{
    Batch, BatchId, BatchState, Bytes, Counts, Hold, JobId, RunningJob, kind, label,
};
use filedeck::engine::queue_view::{BatchJob, JobState, QueueView};
use filedeck::tui::state::Tasks;
use jiff::Timestamp;

pub fn queued(id: i64, jobs: &[Job], asked_at: Timestamp) -> Batch {
    Batch {
        id: BatchId(id),
        kind: kind(jobs).unwrap(),
        label: label(jobs, "acme"),
        state: BatchState::Queued,
        counts: Counts {
            total: jobs.len(),
            ..Counts::default()
        },
        listed: jobs.len(),
        bytes: Bytes::default(),
        running: Vec::new(),
        failure: None,
        asked_at,
        started_at: None,
        ended_at: None,
    }
}

pub fn running(mut batch: Batch, under_way: Vec<RunningJob>) -> Batch {
    batch.state = BatchState::Running;
    batch.counts.running = under_way.len();
    batch.started_at.get_or_insert(batch.asked_at);
    batch.running = under_way;
    batch
}

pub fn held(mut batch: Batch, hold: Hold) -> Batch {
    batch.state = BatchState::Held(hold);
    batch.counts.running = 0;
    batch.running = Vec::new();
    batch
}

/// The batch at its end: jobs that are neither done nor failed were cancelled.
pub fn ended(mut batch: Batch, done: usize, failed: usize, now: Timestamp) -> Batch {
    let cancelled = batch.counts.total - done - failed;
    batch.state = BatchState::Ended;
    batch.counts = Counts {
        running: 0,
        done,
        failed,
        cancelled,
        ..batch.counts
    };
    batch.running = Vec::new();
    batch.started_at.get_or_insert(batch.asked_at);
    batch.ended_at = Some(now);
    batch
}

pub fn under_way(label: &str) -> RunningJob {
    RunningJob {
        label: label.to_owned(),
        bytes: None,
        waiting: None,
        remote: None,
    }
}

/// A job of a batch, this many rows below it while all wait.
pub fn job(batch: i64, below: usize, job: Job, state: JobState) -> BatchJob {
    let number = u32::try_from(below - 1).unwrap();
    let id = JobId {
        batch: BatchId(batch),
        number,
    };
    BatchJob {
        id,
        job,
        state,
        bytes: None,
        started_at: None,
        ended_at: None,
        stored: None,
    }
}

/// Unfolds the batch under the cursor and lists these jobs below it.
pub fn unfold(tasks: &mut Tasks, jobs: &[BatchJob]) {
    tasks.turn();
    for read in tasks.questions(0..100) {
        tasks.set_jobs(&read, jobs.to_vec());
    }
}

/// Only these tasks, of earlier runs.
pub fn older(batches: &[Batch]) -> QueueView {
    QueueView {
        older: batches.len(),
        ..view(batches)
    }
}

/// All batches, the most urgent first.
pub fn view(batches: &[Batch]) -> QueueView {
    QueueView::new(batches.iter().cloned().map(Arc::new).collect(), 0, false)
}
