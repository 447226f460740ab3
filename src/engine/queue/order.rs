//! The order in which batches are shown, and the part of it that is asked for.

use std::collections::BTreeMap;

use super::live::Live;
use crate::engine::batch::{BatchId, QueueView, Totals};
use crate::engine::job::Verb;

/// Batches that are told of at all times: more than the foot of a screen has room for.
const TOP: usize = 8;

/// Which batches are wanted: so many before and after this one, or the first ones.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Watch {
    pub(super) around: Option<BatchId>,
    pub(super) rows: usize,
}

/// The queue at a glance.
pub(super) fn view(batches: &BTreeMap<BatchId, Live>, watch: Watch, draining: bool) -> QueueView {
    let mut sorted: Vec<&Live> = batches.values().collect();
    sorted.sort_by_key(|live| urgency(live));
    let at = watch.around.and_then(|id| sorted.iter().position(|live| live.id == id)).unwrap_or(0);
    let before = at.saturating_sub(watch.rows);
    let shown = if watch.rows == 0 { 0 } else { at - before + watch.rows };
    QueueView {
        totals: totals(batches, draining),
        top: sorted.iter().take(TOP).map(|live| live.view()).collect(),
        window: sorted.iter().skip(before).take(shown).map(|live| live.view()).collect(),
        before,
        ends: sorted.first().zip(sorted.last()).map(|(first, last)| (first.id, last.id)),
        count: sorted.len(),
    }
}

/// Running, held, failed, queued, and then those that have ended, the last one first.
fn urgency(live: &Live) -> (u8, (bool, i64)) {
    let newest_first = (false, live.ended_at.map_or(0, |at| -at.as_millisecond()));
    match live {
        _ if live.is_ended() && live.counts.failed > 0 => (2, newest_first),
        _ if live.is_ended() => (4, newest_first),
        _ if !live.running.is_empty() => (0, live.turn()),
        _ if live.hold.is_some() => (1, live.turn()),
        _ => (3, live.turn()),
    }
}

fn totals(batches: &BTreeMap<BatchId, Live>, draining: bool) -> Totals {
    let running = |verb: Verb| -> usize {
        batches.values().filter(|live| live.verb == verb).map(|live| live.running.len()).sum()
    };
    let running = Verb::ALL.into_iter().map(|verb| (verb, running(verb))).filter(|(_, count)| *count > 0).collect();
    let live = || batches.values().filter(|live| !live.is_ended());
    Totals {
        running,
        queued: live().filter(|live| live.hold.is_none()).map(Live::waiting).sum(),
        held: live().filter(|live| live.hold.is_some()).map(Live::waiting).sum(),
        failed: batches.values().map(|live| live.counts.failed).sum(),
        live: live().count(),
        draining,
    }
}
