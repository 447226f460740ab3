//! Batches as the queue reports them, in compact form.

use filedeck::engine::Job;
use filedeck::engine::batch::{
    Batch, BatchId, BatchState, Bytes, Counts, Hold, JobId, RowPlace, RunningJob, label,
};
use filedeck::engine::job::JobKind;
use filedeck::engine::queue_view::{BatchJob, JobState, OlderTasks, QueueRow, QueueView, Totals};
use jiff::Timestamp;

pub fn queued(id: i64, jobs: &[Job], asked_at: Timestamp) -> Batch {
    Batch {
        id: BatchId(id),
        kind: jobs[0].kind(),
        label: label(jobs),
        state: BatchState::Queued,
        counts: Counts {
            total: jobs.len(),
            ..Counts::default()
        },
        listed: jobs.len(),
        unfolded: false,
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

/// A job of a batch, this many rows below it.
pub fn job(batch: i64, below: usize, job: Job, state: JobState) -> BatchJob {
    let number = u32::try_from(below - 1).unwrap();
    let id = JobId {
        batch: BatchId(batch),
        number,
    };
    BatchJob {
        id,
        below,
        job,
        state,
        bytes: None,
        started_at: None,
        ended_at: None,
    }
}

pub fn own_row(batch: &Batch) -> RowPlace {
    RowPlace {
        batch: batch.id,
        below: 0,
    }
}

/// All rows of the queue after the batch at this index is unfolded.
pub fn unfolded(batches: &[Batch], at: usize, jobs: Vec<BatchJob>) -> QueueView {
    let mut batches = batches.to_vec();
    batches[at].unfolded = true;
    let view = view(&batches, batches.len());
    let mut window: Vec<QueueRow> = batches.into_iter().map(QueueRow::Batch).collect();
    let rest = window.split_off(at + 1);
    window.extend(jobs.into_iter().map(QueueRow::Job));
    window.extend(rest);
    let ends = Some((window[0].place(), window[window.len() - 1].place()));
    QueueView {
        count: window.len(),
        window,
        ends,
        ..view
    }
}

/// Only this many tasks of earlier runs, folded.
pub fn older(count: usize, failed: usize) -> QueueView {
    let older = OlderTasks {
        count,
        failed,
        is_unfolded: false,
    };
    let row = RowPlace {
        batch: OlderTasks::ID,
        below: 0,
    };
    QueueView {
        older,
        window: vec![QueueRow::Older(older)],
        count: 1,
        ends: Some((row, row)),
        ..view(&[], 0)
    }
}

/// All batches, the most urgent first, of which the queue shows this many.
pub fn view(batches: &[Batch], shown: usize) -> QueueView {
    let running = |kind: &JobKind| {
        batches
            .iter()
            .filter(|batch| batch.kind == *kind)
            .map(|batch| batch.counts.running)
            .sum()
    };
    let sum = |count: fn(&Batch) -> usize| batches.iter().map(count).sum();
    let is_held = |batch: &Batch| matches!(batch.state, BatchState::Held(_));
    QueueView {
        older: OlderTasks::default(),
        totals: Totals {
            running: JobKind::ALL
                .iter()
                .map(|kind| (*kind, running(kind)))
                .filter(|(_, count)| *count > 0)
                .collect(),
            queued: batches
                .iter()
                .filter(|batch| !is_held(batch))
                .map(|batch| batch.counts.waiting())
                .sum(),
            held: batches
                .iter()
                .filter(|batch| is_held(batch))
                .map(|batch| batch.counts.waiting())
                .sum(),
            failed: sum(|batch| batch.counts.failed),
            unfinished: batches.iter().filter(|batch| batch.is_live()).count(),
            draining: false,
        },
        top: batches.iter().take(shown).cloned().collect(),
        window: Vec::new(),
        before: 0,
        ends: batches
            .first()
            .zip(batches.last())
            .map(|(first, last)| (own_row(first), own_row(last))),
        count: batches.len(),
        batches: batches.len(),
    }
}
