//! The queue as it is reported: all batches in order of urgency.

use jiff::Timestamp;

use super::active_batch::ActiveBatch;
use super::scheduler::Scheduler;
use crate::engine::queue_view::QueueView;

impl Scheduler {
    pub(super) fn view(&mut self) -> QueueView {
        let since = self.since;
        let mut batches: Vec<_> = self.batches.values_mut().collect();
        batches.sort_by_cached_key(|live| urgency(live, since));
        let older = batches.iter().filter(|live| live.ended_before(since));
        let older = older.count();
        let batches = batches.into_iter().map(ActiveBatch::summary).collect();
        QueueView::new(batches, older, self.draining)
    }
}

/// Returns the sort key for this order: running, held, failed, queued, and then the ended ones,
/// last one first; after all others those that ended before this run.
fn urgency(live: &ActiveBatch, since: Timestamp) -> (bool, u8, (bool, i64)) {
    let newest_first = (false, live.ended_at.map_or(0, |at| -at.as_millisecond()));
    let (rank, turn) = match live {
        _ if live.is_ended() && live.counts.failed > 0 => (2, newest_first),
        _ if live.is_ended() => (4, newest_first),
        _ if !live.running.is_empty() => (0, live.turn()),
        _ if live.hold.is_some() => (1, live.turn()),
        _ => (3, live.turn()),
    };
    (live.ended_before(since), rank, turn)
}
