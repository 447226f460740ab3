//! The progress of a task in words and figures: for its row, the strip and its details.

use jiff::Timestamp;

use crate::api::text::visible;
use crate::engine::batch::{Batch, BatchState, Hold, RemoteTarget, RunningJob};
use crate::engine::queue_view::{BatchJob, JobState};
use crate::tui::keymap::{Action, Context};
use crate::tui::state::State;
use crate::tui::widget::figures;

/// The progress of a task, one part per column; a part without content is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaskProgress {
    /// 0 to 100, if known for something running.
    pub percent: Option<u8>,
    /// The state, unless a gauge shows it.
    pub state: String,
    /// The reason for the state, or what ends it; the details show it where there is no room here.
    pub reason: String,
    /// Set if a sign before it shows the state, so that the reason need not repeat it.
    pub has_sign: bool,
    /// `12 of 48`, `24 of 38 MB`.
    pub done: String,
    /// Bytes or items per second.
    pub rate: String,
    /// The time taken so far or in total.
    pub took: String,
    /// The time left.
    pub left: String,
    /// The cause of a wait, in place of rate and time.
    pub note: String,
}

impl TaskProgress {
    /// The state, with the reason if there is one.
    pub fn state_and_reason(&self) -> String {
        match self.reason.as_str() {
            "" => self.state.clone(),
            reason if self.has_sign => reason.to_owned(),
            reason => format!("{}: {reason}", self.state),
        }
    }

    fn with_state(state: impl Into<String>) -> Self {
        Self {
            state: state.into(),
            ..Self::default()
        }
    }

    fn with_reason(state: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
            ..Self::with_state(state)
        }
    }

    /// The parts that are not empty, most important first.
    pub fn parts(&self) -> Vec<String> {
        let left = if self.left.is_empty() {
            String::new()
        } else {
            format!("{} left", self.left)
        };
        let parts = [
            &self.state_and_reason(),
            &self.done,
            &self.note,
            &self.rate,
            &self.took,
            &left,
        ];
        parts
            .into_iter()
            .filter(|part| !part.is_empty())
            .cloned()
            .collect()
    }
}

pub fn progress(batch: &Batch, state: &State) -> TaskProgress {
    let standing = |shown: TaskProgress| TaskProgress {
        done: counts(batch),
        ..shown
    };
    let queued = || TaskProgress::with_state("queued");
    match (&batch.state, waiting(batch, state.now)) {
        (BatchState::Queued, _) if batch.counts.settled() == 0 => TaskProgress {
            done: size(batch),
            ..queued()
        },
        (BatchState::Queued, _) => standing(queued()),
        (BatchState::Held(hold), _) => standing(held(batch, hold, state)),
        (BatchState::Running, Some(wait)) => standing(TaskProgress::with_state(wait)),
        (BatchState::Running, None) => running(batch, state),
        (BatchState::Ended, _) => ended(batch, state),
    }
}

/// The reason why everything running in a batch waits.
pub fn waiting(batch: &Batch, now: Timestamp) -> Option<String> {
    let is_waiting = batch.running.iter().all(|job| job.waiting.is_some());
    let (until, reason) = batch.running.first()?.waiting.filter(|_| is_waiting)?;
    Some(reason.in_words(seconds(now, until)))
}

/// The reason why a batch is held, and how it continues, with the key for that.
pub fn held(batch: &Batch, hold: &Hold, state: &State) -> TaskProgress {
    let key = state
        .keymap
        .key_of(Context::Tasks, Action::RetryTask)
        .filter(|_| state.context() == Context::Tasks);
    match hold {
        Hold::Paused if batch.counts.running > 0 => {
            let goes = if batch.counts.running == 1 {
                "goes"
            } else {
                "go"
            };
            TaskProgress::with_reason(
                "pausing",
                format!("{} {goes}", figures::number(batch.counts.running)),
            )
        }
        Hold::Paused => TaskProgress::with_state("paused"),
        Hold::Restarted => {
            let then = key
                .map(|key| format!("{key} continues"))
                .unwrap_or_default();
            TaskProgress::with_reason("left by an earlier session", then)
        }
        Hold::Cause {
            error,
            until: Some(until),
        } => TaskProgress::with_reason(waits_until(*until, state), visible(&error.message)),
        Hold::Cause { error, until: None } => {
            // Comes first, because a long message from the service may hide the rest.
            let then = key
                .map(|key| format!(", {key} retries"))
                .unwrap_or_default();
            TaskProgress::with_reason(format!("waits{then}"), visible(&error.message))
        }
    }
}

/// `waits until 14:30`, with seconds in the last minute and the date for another day.
pub fn waits_until(until: Timestamp, state: &State) -> String {
    let day = |time| figures::date(time, &state.zone);
    let time = match until.as_second().saturating_sub(state.now.as_second()) {
        ..=60 => figures::time_of_day(until, &state.zone),
        _ if day(until) != day(state.now) => figures::date_time(until, &state.zone),
        _ => figures::minute(until, &state.zone),
    };
    format!("waits until {time}")
}

/// Returns `true` if the service continues although the batch was cancelled here.
pub fn is_unwatched(batch: &Batch) -> bool {
    batch.is_cancelled() && batch.kind.is_remote() && batch.started_at.is_some()
}

/// The progress of a running job.
pub fn under_way(job: &RunningJob, now: Timestamp) -> String {
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

/// The progress of a job, as columns.
pub fn of_job(job: &BatchJob, state: &State) -> TaskProgress {
    let done = job.bytes.map(figures::size).unwrap_or_default();
    let took = job
        .started_at
        .zip(job.ended_at)
        .map(|(from, to)| figures::took(to.duration_since(from)));
    let standing = TaskProgress {
        took: took.unwrap_or_default(),
        ..state_of_job(job, state)
    };
    match &job.state {
        JobState::Running(running) => {
            job_under_way(running, job.started_at.unwrap_or(state.now), state.now)
        }
        JobState::Waiting | JobState::Done => TaskProgress { done, ..standing },
        // The reason of a failure is longer than the column.
        JobState::Failed(_) | JobState::Cancelled { .. } => TaskProgress {
            took: String::new(),
            ..standing
        },
    }
}

/// The state of a job, with its end time.
pub fn state_of_job(job: &BatchJob, state: &State) -> TaskProgress {
    let at = job
        .ended_at
        .map(|at| format!(" {}", time_of(at, state)))
        .unwrap_or_default();
    match &job.state {
        JobState::Waiting => TaskProgress::with_state("waiting"),
        JobState::Running(running) => TaskProgress::with_state(under_way(running, state.now)),
        JobState::Done => TaskProgress::with_state(format!("done{at}")),
        JobState::Failed(error) => {
            TaskProgress::with_reason(format!("failed{at}"), visible(&error.message))
        }
        JobState::Cancelled { in_doubt: true } => {
            TaskProgress::with_state(format!("canceled{at}, may be done anyway"))
        }
        JobState::Cancelled { in_doubt: false } => {
            TaskProgress::with_state(format!("canceled{at}"))
        }
    }
}

fn job_under_way(running: &RunningJob, since: Timestamp, now: Timestamp) -> TaskProgress {
    let elapsed = seconds(since, now);
    let Some((done, total)) = running
        .bytes
        .filter(|_| running.waiting.is_none() && running.remote.is_none())
    else {
        return TaskProgress {
            state: under_way(running, now),
            took: figures::elapsed(elapsed),
            ..TaskProgress::default()
        };
    };
    let standing = TaskProgress {
        percent: total.and_then(|total| share(done, total)),
        done: total.map_or_else(
            || figures::size(done),
            |total| figures::size_of(done, total),
        ),
        ..TaskProgress::default()
    };
    if total == Some(done) {
        return TaskProgress {
            note: "no answer yet".to_owned(),
            ..standing
        };
    }
    // Averaged since the start: recent speeds are known only for the whole batch.
    let rate = done.checked_div(elapsed).filter(|rate| *rate > 0);
    let left = rate.and_then(|rate| total?.checked_sub(done)?.checked_div(rate));
    TaskProgress {
        rate: rate
            .map(|rate| format!("{}/s", figures::size(rate)))
            .unwrap_or_default(),
        left: left.map(figures::elapsed).unwrap_or_default(),
        ..standing
    }
}

/// The service's own word for the task's state, in lowercase.
pub fn status(remote: &RemoteTarget) -> String {
    remote.status.as_ref().map_or_else(
        || "accepted".to_owned(),
        |status| visible(status.as_str()).to_lowercase(),
    )
}

/// The percentage by bytes if they are known, else by items.
fn percent(batch: &Batch) -> Option<u8> {
    match (batch.bytes.total, batch.counts.total) {
        (Some(total), _) if batch.kind.is_transfer() => share(batch.bytes.done, total),
        (_, 1) => None,
        (_, total) => share(
            u64::try_from(batch.counts.settled()).ok()?,
            u64::try_from(total).ok()?,
        ),
    }
}

fn share(done: u64, total: u64) -> Option<u8> {
    u8::try_from(done.saturating_mul(100).checked_div(total)?.min(100)).ok()
}

/// `12 of 48`, `12 of 48, 3 failed`; empty for a single job.
fn counts(batch: &Batch) -> String {
    let counts = batch.counts;
    let failed = match counts.failed {
        0 => String::new(),
        failed => format!(", {} failed", figures::number(failed)),
    };
    match counts.total {
        1 => String::new(),
        total => format!(
            "{} of {}{failed}",
            figures::number(counts.done),
            figures::number(total)
        ),
    }
}

/// The total size of a batch that has not begun.
fn size(batch: &Batch) -> String {
    let items = if batch.counts.total > 1 {
        figures::count(batch.counts.total, "item")
    } else {
        String::new()
    };
    let bytes = batch
        .bytes
        .total
        .filter(|_| batch.kind.is_transfer())
        .map(figures::size)
        .unwrap_or_default();
    if items.is_empty() { bytes } else { items }
}

fn running(batch: &Batch, state: &State) -> TaskProgress {
    let (now, since) = (state.now, batch.started_at.unwrap_or(batch.asked_at));
    let first = batch.running.first();
    let elapsed = seconds(since, now);
    if let Some(remote) = first
        .and_then(|job| job.remote.as_ref())
        .filter(|_| batch.counts.total == 1)
    {
        return polled(remote, elapsed, now);
    }
    let is_moving = batch.kind.is_transfer()
        && (batch.bytes.done > 0 || first.is_some_and(|job| job.bytes.is_some()));
    let shown = TaskProgress {
        percent: percent(batch),
        done: counts(batch),
        ..TaskProgress::default()
    };
    if is_moving {
        return moving(shown, batch, state);
    }
    let state = if shown.percent.is_none() {
        "under way".to_owned()
    } else {
        String::new()
    };
    // If items are counted, the rate is in items.
    let each = u64::try_from(batch.counts.settled())
        .ok()
        .and_then(|done| done.checked_div(elapsed))
        .filter(|each| *each > 0);
    let waiting =
        u64::try_from(batch.counts.total.saturating_sub(batch.counts.settled())).unwrap_or(0);
    match each {
        Some(each) if batch.counts.total > 1 => {
            let left = figures::elapsed(waiting / each);
            TaskProgress {
                state,
                rate: format!("{each}/s"),
                left,
                ..shown
            }
        }
        _ => TaskProgress {
            state,
            took: figures::elapsed(elapsed),
            ..shown
        },
    }
}

fn polled(remote: &RemoteTarget, elapsed: u64, now: Timestamp) -> TaskProgress {
    let note = match remote.next_poll.filter(|at| *at > now) {
        Some(at) => format!("next check in {} s", seconds(now, at)),
        None => "looking".to_owned(),
    };
    TaskProgress {
        state: status(remote),
        note,
        took: figures::elapsed(elapsed),
        ..TaskProgress::default()
    }
}

/// The rate and time left, or the time without progress. Once all is sent there is no rate.
fn moving(shown: TaskProgress, batch: &Batch, state: &State) -> TaskProgress {
    let (tasks, now, bytes) = (&state.session.tasks, state.now, batch.bytes);
    // The figure counts the same as the bar beside it.
    let done = match bytes.total {
        Some(total) => figures::size_of(bytes.done, total),
        None if !shown.done.is_empty() => shown.done,
        None => figures::size(bytes.done),
    };
    let is_sent = bytes.total == Some(bytes.done);
    let shown = TaskProgress { done, ..shown };
    if let Some(still) = tasks.stalled(batch.id, now) {
        let words = if is_sent {
            "no answer yet"
        } else {
            "nothing moves"
        };
        return TaskProgress {
            note: format!("{words} for {still} s"),
            ..shown
        };
    }
    if is_sent {
        return TaskProgress {
            note: "sent, no answer yet".to_owned(),
            ..shown
        };
    }
    let rate = tasks
        .speed(batch.id, now)
        .map(|speed| format!("{}/s", figures::size(speed)))
        .unwrap_or_default();
    let left = tasks
        .time_left(batch, now)
        .and_then(|left| u64::try_from(left.as_secs()).ok());
    TaskProgress {
        rate,
        left: left.map(figures::elapsed).unwrap_or_default(),
        ..shown
    }
}

fn ended(batch: &Batch, state: &State) -> TaskProgress {
    let (counts, is_single) = (batch.counts, batch.counts.total == 1);
    let (done, total) = (figures::number(counts.done), figures::number(counts.total));
    let failure = batch.failure.as_ref().filter(|_| batch.has_failed());
    let shown = match failure.map(|(_, error)| visible(&error.message)) {
        _ if is_unwatched(batch) => {
            TaskProgress::with_state("no longer watched; the service continues")
        }
        _ if batch.is_cancelled() && is_single => TaskProgress::with_state("canceled"),
        _ if batch.is_cancelled() => {
            TaskProgress::with_state(format!("canceled after {done} of {total}"))
        }
        // Screen readers do not read the sign.
        Some(message) if is_single => TaskProgress {
            has_sign: !state.panes.plain,
            ..TaskProgress::with_reason("failed", message)
        },
        Some(message) => TaskProgress::with_reason(
            format!("{} of {total} failed", figures::number(counts.failed)),
            message,
        ),
        None => TaskProgress::with_state(match batch.ended_at {
            Some(at) => format!("done {}", time_of(at, state)),
            None => "done".to_owned(),
        }),
    };
    let is_well = failure.is_none() && !batch.is_cancelled();
    let all = if is_well && counts.total > 1 {
        figures::count(counts.total, "item")
    } else {
        String::new()
    };
    let took = batch.started_at.zip(batch.ended_at).filter(|_| is_well);
    let took = took
        .map(|(from, to)| figures::took(to.duration_since(from)))
        .unwrap_or_default();
    TaskProgress {
        done: all,
        took,
        ..shown
    }
}

/// The minute, with the date for another day.
fn time_of(at: Timestamp, state: &State) -> String {
    if figures::date(at, &state.zone) == figures::date(state.now, &state.zone) {
        figures::minute(at, &state.zone)
    } else {
        figures::day_and_minute(at, state.now, &state.zone)
    }
}

fn seconds(from: Timestamp, to: Timestamp) -> u64 {
    u64::try_from(to.as_second().saturating_sub(from.as_second())).unwrap_or(0)
}
