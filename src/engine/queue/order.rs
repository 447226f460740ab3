//! The order in which batches are shown, and the requested part of it.

use std::collections::BTreeMap;
use std::ops::Range;

use jiff::Timestamp;

use super::active_batch::ActiveBatch;
use crate::engine::batch::{BatchId, RowPlace};
use crate::engine::job::JobKind;
use crate::engine::queue_view::{OlderTasks, QueueView, Totals};

/// The number of batches that are always reported: more than the foot of a screen has room for.
const TOP: usize = 8;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Watch {
    pub(super) around: Option<RowPlace>,
    pub(super) rows: usize,
}

/// Rows of a batch: the first one is its own, the others are its jobs.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RowRange {
    pub(super) batch: BatchId,
    pub(super) rows: Range<usize>,
}

/// The facts that the order depends on, beside the batches.
#[derive(Debug, Clone, Copy)]
pub(super) struct QueueScope {
    pub(super) watch: Watch,
    /// The start of this run: what ended before is older.
    pub(super) since: Timestamp,
    /// Set if older tasks are listed below their row.
    pub(super) older: bool,
    pub(super) draining: bool,
}

impl QueueScope {
    /// Selects the first rows, for a run that began at this time.
    pub(super) fn since(since: Timestamp) -> Self {
        Self {
            watch: Watch::default(),
            since,
            older: false,
            draining: false,
        }
    }

    fn is_older(&self, live: &ActiveBatch) -> bool {
        live.ended_at.is_some_and(|at| at < self.since)
    }

    pub(super) fn are_older(&self, batches: &BTreeMap<BatchId, ActiveBatch>) -> bool {
        batches.values().all(|live| self.is_older(live))
    }

    pub(super) fn lists(&self, live: &ActiveBatch) -> bool {
        self.older || !self.is_older(live)
    }
}

#[derive(Debug, Clone, Copy)]
enum QueueEntry<'a> {
    Batch(&'a ActiveBatch),
    Older,
}

impl QueueEntry<'_> {
    fn id(self) -> BatchId {
        match self {
            Self::Batch(live) => live.id,
            Self::Older => OlderTasks::ID,
        }
    }

    fn rows(self) -> usize {
        match self {
            Self::Batch(live) => live.rows(),
            Self::Older => 1,
        }
    }
}

/// Returns the queue at a glance, and the rows to fill its window with.
pub(super) fn view(
    batches: &BTreeMap<BatchId, ActiveBatch>,
    shown: QueueScope,
) -> (QueueView, Vec<RowRange>) {
    let watch = shown.watch;
    let (mut older, mut sorted): (Vec<_>, Vec<_>) =
        batches.values().partition(|live| shown.is_older(live));
    sorted.sort_by_key(|live| urgency(live));
    older.sort_by_key(|live| urgency(live));
    let folded = OlderTasks {
        count: older.len(),
        failed: older.iter().filter(|live| live.counts.failed > 0).count(),
        is_unfolded: shown.older,
    };
    let top = sorted.iter().take(TOP).map(|live| live.view()).collect();
    let mut entries: Vec<QueueEntry<'_>> = sorted.into_iter().map(QueueEntry::Batch).collect();
    entries.extend((!older.is_empty()).then_some(QueueEntry::Older));
    entries.extend(
        older
            .into_iter()
            .filter(|_| shown.older)
            .map(QueueEntry::Batch),
    );
    let at = watch
        .around
        .and_then(|place| row_of(&entries, place))
        .unwrap_or(0);
    let before = at.saturating_sub(watch.rows);
    let rows = if watch.rows == 0 {
        0
    } else {
        at - before + watch.rows
    };
    let (first, last) = (entries.first(), entries.last());
    let view = QueueView {
        totals: totals(batches, shown),
        top,
        window: Vec::new(),
        before,
        ends: first.zip(last).map(|(first, last)| {
            (
                RowPlace {
                    batch: first.id(),
                    below: 0,
                },
                RowPlace {
                    batch: last.id(),
                    below: last.rows() - 1,
                },
            )
        }),
        count: entries.iter().map(|entry| entry.rows()).sum(),
        batches: batches.len(),
        older: folded,
    };
    (view, stretches(&entries, &(before..before + rows)))
}

/// Returns the row of a place; for a job that is not listed, that of its batch.
fn row_of(entries: &[QueueEntry<'_>], place: RowPlace) -> Option<usize> {
    let at = entries.iter().position(|entry| entry.id() == place.batch)?;
    let above: usize = entries.iter().take(at).map(|entry| entry.rows()).sum();
    let rows = entries.get(at)?.rows();
    Some(
        above
            + if rows == 1 {
                0
            } else {
                place.below.min(rows - 1)
            },
    )
}

fn stretches(entries: &[QueueEntry<'_>], window: &Range<usize>) -> Vec<RowRange> {
    let (mut first, mut stretches) = (0, Vec::new());
    for entry in entries {
        let rows = window.start.max(first)..window.end.min(first + entry.rows());
        if !rows.is_empty() {
            stretches.push(RowRange {
                batch: entry.id(),
                rows: rows.start - first..rows.end - first,
            });
        }
        first += entry.rows();
    }
    stretches
}

/// Returns the sort key for this order: running, held, failed, queued, and then the ended ones,
/// last one first.
fn urgency(live: &ActiveBatch) -> (u8, (bool, i64)) {
    let newest_first = (false, live.ended_at.map_or(0, |at| -at.as_millisecond()));
    match live {
        _ if live.is_ended() && live.counts.failed > 0 => (2, newest_first),
        _ if live.is_ended() => (4, newest_first),
        _ if !live.running.is_empty() => (0, live.turn()),
        _ if live.hold.is_some() => (1, live.turn()),
        _ => (3, live.turn()),
    }
}

/// Counts the jobs; failures of older tasks count only while these are listed.
fn totals(batches: &BTreeMap<BatchId, ActiveBatch>, shown: QueueScope) -> Totals {
    let running = |kind: JobKind| -> usize {
        batches
            .values()
            .filter(|live| live.kind == kind)
            .map(|live| live.running.len())
            .sum()
    };
    let running = JobKind::ALL
        .iter()
        .copied()
        .map(|kind| (kind, running(kind)))
        .filter(|(_, count)| *count > 0)
        .collect();
    let live = || batches.values().filter(|live| !live.is_ended());
    Totals {
        running,
        queued: live()
            .filter(|live| live.hold.is_none())
            .map(ActiveBatch::waiting)
            .sum(),
        held: live()
            .filter(|live| live.hold.is_some())
            .map(ActiveBatch::waiting)
            .sum(),
        failed: batches
            .values()
            .filter(|live| shown.lists(live))
            .map(|live| live.counts.failed)
            .sum(),
        unfinished: live().count(),
        draining: shown.draining,
    }
}
