//! Batches as the queue tells of them, written down in a few words.

use filedeck::engine::Job;
use filedeck::engine::batch::{Batch, BatchId, BatchState, Bytes, Counts, Hold, QueueView, Totals, UnderWay, label};
use filedeck::engine::job::Verb;
use jiff::Timestamp;

/// A batch that waits for its turn.
pub(crate) fn queued(id: i64, jobs: &[Job], asked_at: Timestamp) -> Batch {
    Batch {
        id: BatchId(id),
        verb: jobs[0].verb(),
        label: label(jobs),
        state: BatchState::Queued,
        counts: Counts { total: jobs.len(), ..Counts::default() },
        bytes: Bytes::default(),
        under_way: Vec::new(),
        failure: None,
        asked_at,
        started_at: None,
        ended_at: None,
    }
}

/// The batch with these of its jobs under way.
pub(crate) fn running(mut batch: Batch, under_way: Vec<UnderWay>) -> Batch {
    batch.state = BatchState::Running;
    batch.counts.running = under_way.len();
    batch.started_at.get_or_insert(batch.asked_at);
    batch.under_way = under_way;
    batch
}

/// The batch with nothing of it under way for now.
pub(crate) fn held(mut batch: Batch, hold: Hold) -> Batch {
    batch.state = BatchState::Held(hold);
    batch.counts.running = 0;
    batch.under_way = Vec::new();
    batch
}

/// The batch at its end: what was not done and has not failed was cancelled.
pub(crate) fn ended(mut batch: Batch, done: usize, failed: usize, now: Timestamp) -> Batch {
    let cancelled = batch.counts.total - done - failed;
    batch.state = BatchState::Ended;
    batch.counts = Counts { running: 0, done, failed, cancelled, ..batch.counts };
    batch.under_way = Vec::new();
    batch.started_at.get_or_insert(batch.asked_at);
    batch.ended_at = Some(now);
    batch
}

/// A job under way of which nothing else is known.
pub(crate) fn under_way(label: &str) -> UnderWay {
    UnderWay { label: label.to_owned(), bytes: None, waiting: None, remote: None }
}

/// All batches, the most urgent first, of which the queue shows this many.
pub(crate) fn view(batches: &[Batch], shown: usize) -> QueueView {
    let running =
        |verb: &Verb| batches.iter().filter(|batch| batch.verb == *verb).map(|batch| batch.counts.running).sum();
    let sum = |count: fn(&Batch) -> usize| batches.iter().map(count).sum();
    let is_held = |batch: &Batch| matches!(batch.state, BatchState::Held(_));
    QueueView {
        totals: Totals {
            running: Verb::ALL.iter().map(|verb| (*verb, running(verb))).filter(|(_, count)| *count > 0).collect(),
            queued: batches.iter().filter(|batch| !is_held(batch)).map(|batch| batch.counts.waiting()).sum(),
            held: batches.iter().filter(|batch| is_held(batch)).map(|batch| batch.counts.waiting()).sum(),
            failed: sum(|batch| batch.counts.failed),
            live: batches.iter().filter(|batch| batch.is_live()).count(),
            draining: false,
        },
        top: batches.iter().take(shown).cloned().collect(),
        window: Vec::new(),
        before: 0,
        ends: batches.first().zip(batches.last()).map(|(first, last)| (first.id, last.id)),
        count: batches.len(),
    }
}
