//! The order in which batches are shown, and the part of it that is asked for.

use std::collections::BTreeMap;
use std::ops::Range;

use super::active_batch::ActiveBatch;
use crate::engine::batch::{BatchId, RowPlace};
use crate::engine::job::JobKind;
use crate::engine::queue_view::{QueueView, Totals};

/// Batches that are reported at all times: more than the foot of a screen has room for.
const TOP: usize = 8;

/// Which rows are wanted: so many before and after this one, or the first ones.
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

/// The queue at a glance, and what its window is to be filled with.
pub(super) fn view(
    batches: &BTreeMap<BatchId, ActiveBatch>,
    watch: Watch,
    draining: bool,
) -> (QueueView, Vec<RowRange>) {
    let mut sorted: Vec<&ActiveBatch> = batches.values().collect();
    sorted.sort_by_key(|live| urgency(live));
    let at = watch.around.and_then(|place| row_of(&sorted, place)).unwrap_or(0);
    let before = at.saturating_sub(watch.rows);
    let shown = if watch.rows == 0 { 0 } else { at - before + watch.rows };
    let (first, last) = (sorted.first(), sorted.last());
    let view = QueueView {
        totals: totals(batches, draining),
        top: sorted.iter().take(TOP).map(|live| live.view()).collect(),
        window: Vec::new(),
        before,
        ends: first.zip(last).map(|(first, last)| {
            (RowPlace { batch: first.id, below: 0 }, RowPlace { batch: last.id, below: last.rows() - 1 })
        }),
        count: sorted.iter().map(|live| live.rows()).sum(),
        batches: sorted.len(),
    };
    (view, stretches(&sorted, &(before..before + shown)))
}

/// The row of a place; of a job that is not listed that of its batch.
fn row_of(sorted: &[&ActiveBatch], place: RowPlace) -> Option<usize> {
    let at = sorted.iter().position(|live| live.id == place.batch)?;
    let above: usize = sorted.iter().take(at).map(|live| live.rows()).sum();
    let rows = sorted.get(at)?.rows();
    Some(above + if rows == 1 { 0 } else { place.below.min(rows - 1) })
}

/// What is in these rows.
fn stretches(sorted: &[&ActiveBatch], window: &Range<usize>) -> Vec<RowRange> {
    let (mut first, mut stretches) = (0, Vec::new());
    for live in sorted {
        let rows = window.start.max(first)..window.end.min(first + live.rows());
        if !rows.is_empty() {
            stretches.push(RowRange { batch: live.id, rows: rows.start - first..rows.end - first });
        }
        first += live.rows();
    }
    stretches
}

/// Running, held, failed, queued, and then those that have ended, the last one first.
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

fn totals(batches: &BTreeMap<BatchId, ActiveBatch>, draining: bool) -> Totals {
    let running = |kind: JobKind| -> usize {
        batches.values().filter(|live| live.kind == kind).map(|live| live.running.len()).sum()
    };
    let running =
        JobKind::ALL.iter().copied().map(|kind| (kind, running(kind))).filter(|(_, count)| *count > 0).collect();
    let live = || batches.values().filter(|live| !live.is_ended());
    Totals {
        running,
        queued: live().filter(|live| live.hold.is_none()).map(ActiveBatch::waiting).sum(),
        held: live().filter(|live| live.hold.is_some()).map(ActiveBatch::waiting).sum(),
        failed: batches.values().map(|live| live.counts.failed).sum(),
        unfinished: live().count(),
        draining,
    }
}
