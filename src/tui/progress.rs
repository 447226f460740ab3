//! How far a task is, in words and figures: for its row, the strip and its details.

use jiff::Timestamp;

use super::keymap::{Action, Context};
use super::state::State;
use super::widget::figures;
use crate::api::text::visible;
use crate::engine::batch::{Batch, BatchState, Hold, Remote, UnderWay};

/// How far a task is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// 0 to 100, where that is known of something under way.
    pub percent: Option<u8>,
    /// In words, the first of which says most.
    pub parts: Vec<String>,
}

/// The state of a batch.
pub fn progress(batch: &Batch, state: &State) -> Progress {
    let standing = |words: String| [vec![words], counts(batch)].concat();
    let (is_moving, parts) = match (&batch.state, waiting(batch, state.now)) {
        (BatchState::Queued, _) if batch.counts.settled() == 0 => (false, vec!["queued".to_owned()]),
        (BatchState::Queued, _) => (false, standing("queued".to_owned())),
        (BatchState::Held(hold), _) => (false, standing(held(batch, hold, state))),
        (BatchState::Running, Some(wait)) => (false, standing(wait)),
        (BatchState::Running, None) => (true, running(batch, state)),
        (BatchState::Ended, _) => (false, vec![ended(batch, state.now)]),
    };
    Progress { percent: percent(batch).filter(|_| is_moving), parts }
}

/// What all of a batch that is under way waits for.
pub fn waiting(batch: &Batch, now: Timestamp) -> Option<String> {
    let is_waiting = batch.under_way.iter().all(|job| job.waiting.is_some());
    let (until, reason) = batch.under_way.first()?.waiting.filter(|_| is_waiting)?;
    Some(reason.in_words(seconds(now, until)))
}

/// Why a batch is held, and how it goes on. A key is named where it does that.
pub fn held(batch: &Batch, hold: &Hold, state: &State) -> String {
    let key = state.keymap.key_of(Context::Tasks, Action::RetryTask).filter(|_| state.context() == Context::Tasks);
    match hold {
        Hold::Paused if batch.counts.running > 0 => {
            let goes = if batch.counts.running == 1 { "goes" } else { "go" };
            format!("pausing: {} under way {goes} to the end", figures::number(batch.counts.running))
        }
        Hold::Paused => "paused".to_owned(),
        Hold::Restarted => {
            let then = key.map(|key| format!(": {key} goes on")).unwrap_or_default();
            format!("left by an earlier run{then}")
        }
        Hold::Cause { error, until: Some(until) } => {
            format!("{}: {}", waits_until(*until, state), visible(&error.message))
        }
        Hold::Cause { error, until: None } => {
            // First, since a service's message may be too long for the rest to be seen.
            let then = key.map(|key| format!(", {key} tries again")).unwrap_or_default();
            format!("waits{then}: {}", visible(&error.message))
        }
    }
}

/// `waits until 14:30`, with the seconds in the last minute and the day where it is another one.
pub fn waits_until(until: Timestamp, state: &State) -> String {
    let day = |time| figures::date(time, &state.zone);
    let time = match until.as_second().saturating_sub(state.now.as_second()) {
        ..=60 => figures::time_of_day(until, &state.zone),
        _ if day(until) != day(state.now) => figures::date_time(until, &state.zone),
        _ => figures::minute(until, &state.zone),
    };
    format!("waits until {time}")
}

/// Whether the service goes on with it although it was cancelled here.
pub fn is_unwatched(batch: &Batch) -> bool {
    batch.is_cancelled() && batch.verb.is_remote() && batch.started_at.is_some()
}

/// How far one of the jobs under way is.
pub fn under_way(job: &UnderWay, now: Timestamp) -> String {
    match (&job.waiting, &job.remote, job.bytes) {
        (Some((until, reason)), ..) => reason.in_words(seconds(now, *until)),
        (None, Some(remote), _) => status(remote),
        (None, None, Some((done, Some(total)))) => match share(done, total) {
            Some(percent) => format!("{percent}%"),
            None => figures::size(done),
        },
        (None, None, Some((done, None))) => figures::size(done),
        (None, None, None) => String::new(),
    }
}

/// The service's own word for its task.
pub fn status(remote: &Remote) -> String {
    remote.status.as_ref().map_or_else(|| "accepted".to_owned(), |status| visible(status.as_str()).into_owned())
}

/// Bytes where they are known, else items.
fn percent(batch: &Batch) -> Option<u8> {
    match (batch.bytes.total, batch.counts.total) {
        (Some(total), _) if batch.verb.is_transfer() => share(batch.bytes.done, total),
        (_, 1) => None,
        (_, total) => share(u64::try_from(batch.counts.settled()).ok()?, u64::try_from(total).ok()?),
    }
}

fn share(done: u64, total: u64) -> Option<u8> {
    u8::try_from(done.saturating_mul(100).checked_div(total)?.min(100)).ok()
}

/// `12 of 48` and `3 failed`; nothing for a single job.
fn counts(batch: &Batch) -> Vec<String> {
    let counts = batch.counts;
    if counts.total == 1 {
        return Vec::new();
    }
    let mut parts = vec![format!("{} of {}", figures::number(counts.done), figures::number(counts.total))];
    if counts.failed > 0 {
        parts.push(format!("{} failed", figures::number(counts.failed)));
    }
    parts
}

fn running(batch: &Batch, state: &State) -> Vec<String> {
    let (now, since) = (state.now, batch.started_at.unwrap_or(batch.asked_at));
    let mut parts = counts(batch);
    let first = batch.under_way.first();
    if let Some(remote) = first.and_then(|job| job.remote.as_ref()).filter(|_| batch.counts.total == 1) {
        parts.push(polled(remote, since, now));
    } else if batch.verb.is_transfer() && (batch.bytes.done > 0 || first.is_some_and(|job| job.bytes.is_some())) {
        parts.extend(moving(batch, state));
    } else {
        parts.push(format!("running {}", figures::elapsed(seconds(since, now))));
    }
    parts
}

fn polled(remote: &Remote, since: Timestamp, now: Timestamp) -> String {
    let (status, elapsed) = (status(remote), figures::elapsed(seconds(since, now)));
    match remote.next_poll.filter(|at| *at > now) {
        Some(at) => format!("{status} {elapsed} (next poll {}s)", seconds(now, at)),
        None => format!("{status} {elapsed} (polling)"),
    }
}

/// `62%  3.0M/s  0:07`; or for how long nothing has moved.
fn moving(batch: &Batch, state: &State) -> Vec<String> {
    let (tasks, now) = (&state.desk.tasks, state.now);
    let share = batch.bytes.total.and_then(|total| share(batch.bytes.done, total));
    let mut parts = vec![share.map_or_else(|| figures::size(batch.bytes.done), |percent| format!("{percent}%"))];
    if let Some(still) = tasks.stalled(batch.id, now) {
        let is_sent = batch.bytes.total == Some(batch.bytes.done);
        let words = if is_sent { "sent, no answer yet" } else { "nothing moves" };
        parts.push(format!("{words} for {still} s"));
        return parts;
    }
    parts.extend(tasks.speed(batch.id, now).map(|speed| format!("{}/s", figures::size(speed))));
    let left = tasks.time_left(batch, now).and_then(|left| u64::try_from(left.as_secs()).ok());
    parts.extend(left.map(figures::elapsed));
    parts
}

fn ended(batch: &Batch, now: Timestamp) -> String {
    let (counts, is_single) = (batch.counts, batch.counts.total == 1);
    let (done, total) = (figures::number(counts.done), figures::number(counts.total));
    let failure = batch.failure.as_ref().filter(|_| batch.has_failed());
    match failure.map(|(_, error)| visible(&error.message)) {
        _ if is_unwatched(batch) => "not watched any more; the service goes on".to_owned(),
        _ if batch.is_cancelled() && is_single => "cancelled".to_owned(),
        _ if batch.is_cancelled() => format!("cancelled after {done} of {total}"),
        Some(message) if is_single => format!("FAILED {message}"),
        Some(message) => format!("FAILED {} of {total}: {message}", figures::number(counts.failed)),
        None => batch.ended_at.map_or_else(|| "done".to_owned(), |at| format!("done {}", figures::ago(at, now))),
    }
}

/// Whole seconds from one time to a later one.
fn seconds(from: Timestamp, to: Timestamp) -> u64 {
    u64::try_from(to.as_second().saturating_sub(from.as_second())).unwrap_or(0)
}
