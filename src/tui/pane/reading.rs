//! Describes a read in progress: its subject, its duration and the reason it waits.

use crate::api::text::visible;
use crate::engine::OpId;
use crate::tui::state::State;

/// In seconds. Faster reads show no duration.
const SLOW_FROM: i64 = 2;

pub(crate) fn words(what: &str, op: Option<OpId>, state: &State) -> String {
    let what = visible(what);
    if let Some(wait) = wait(op, state) {
        return format!("Reading {what}: {wait}");
    }
    match op.and_then(|op| state.session.ops.pace(op)) {
        Some(pace) if state.now.as_second() - pace.since.as_second() >= SLOW_FROM => {
            format!(
                "Reading {what} … {} s without an answer",
                state.now.as_second() - pace.since.as_second()
            )
        }
        _ => format!("Reading {what} …"),
    }
}

/// Returns `true` if a read takes long enough to mention.
pub(crate) fn is_slow(op: Option<OpId>, state: &State) -> bool {
    let since = op
        .and_then(|op| state.session.ops.pace(op))
        .map(|pace| pace.since);
    wait(op, state).is_some()
        || since.is_some_and(|since| state.now.as_second() - since.as_second() >= SLOW_FROM)
}

/// The reason a read waits: `waiting 3 s for the rate limit`.
pub(crate) fn wait(op: Option<OpId>, state: &State) -> Option<String> {
    let (until, reason) = op.and_then(|op| state.session.ops.pace(op))?.wait?;
    let left = u64::try_from(until.as_second().saturating_sub(state.now.as_second())).ok()?;
    Some(reason.in_words(left))
}
