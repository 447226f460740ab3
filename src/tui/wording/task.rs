//! The details of a task or a job in words: its state, its running jobs and its failures.

use jiff::Timestamp;

use super::progress;
use crate::api::text::visible;
use crate::api::{AdvicePlace, Error};
use crate::engine::JobKind;
use crate::engine::batch::{Batch, BatchState, RunningJob};
use crate::engine::queue_view::{BatchJob, JobState};
use crate::engine::source::in_account;
use crate::tui::keymap::{Action, Context};
use crate::tui::state::{OlderTasks, State, TaskRow};
use crate::tui::widget::figures;

/// Between a task's subject and its target.
pub const ARROW: &str = " → ";

/// The most running jobs in the details of a task.
const UNDER_WAY: usize = 4;

/// The action, the subject and the target.
pub fn title(row: TaskRow<'_>, state: &State) -> String {
    let (kind, label) = match row {
        TaskRow::Batch(batch) => (batch.kind, batch.label.clone()),
        TaskRow::Job(job) => (job.job.kind(), job.job.label()),
        TaskRow::Older(older) => return self::older(older),
    };
    format!("{} {}", kind.imperative(), short(kind, &label, state))
}

/// Returns the words about a task with `~` for the home in the target of a download.
pub fn short(kind: JobKind, words: &str, state: &State) -> String {
    let home = state.local.home.as_ref().map(|home| home.to_string_lossy());
    let short = words
        .rsplit_once(ARROW)
        .filter(|_| kind == JobKind::Download)
        .zip(home)
        .and_then(|((from, to), home)| Some((from, to.strip_prefix(&*visible(&home))?)))
        .filter(|(_, rest)| rest.is_empty() || rest.starts_with('/'));
    short.map_or_else(
        || words.to_owned(),
        |(from, rest)| format!("{from}{ARROW}~{rest}"),
    )
}

/// `6 older tasks, 2 failed`.
pub fn older(older: OlderTasks) -> String {
    let failed = older_failed(older)
        .map(|failed| format!(", {failed}"))
        .unwrap_or_default();
    format!("{}{failed}", older_count(older))
}

/// `6 older tasks`.
pub fn older_count(older: OlderTasks) -> String {
    figures::count(older.count, "older task")
}

/// `2 failed`; `None` if none have failed.
pub fn older_failed(older: OlderTasks) -> Option<String> {
    (older.failed > 0).then(|| format!("{} failed", figures::number(older.failed)))
}

/// The details, one per line: a label, spaces and a value, or text alone.
pub fn lines(row: TaskRow<'_>, state: &State) -> Vec<String> {
    match row {
        TaskRow::Batch(batch) => lines_of_batch(batch, state),
        TaskRow::Job(job) => lines_of_job(job, state),
        TaskRow::Older(_) => lines_of_older(state),
    }
}

/// Returns `true` if the details need more data than these lines: failures, or the service's
/// status.
pub fn has_more(batch: &Batch) -> bool {
    batch.counts.failed > 0 || batch.kind.is_remote()
}

fn lines_of_older(state: &State) -> Vec<String> {
    let tasks = &state.session.tasks;
    let unfolded = tasks.listed().iter().skip(tasks.current().len());
    let failed = unfolded.filter(|batch| batch.has_failed());
    let why = failed.filter_map(|batch| {
        let (what, error) = batch.failure.as_ref()?;
        let action = batch.kind.imperative();
        Some(format!(
            "Failed    {action} {what}: {}",
            visible(&error.message)
        ))
    });
    why.chain(["State     ended before this session".to_owned()])
        .collect()
}

/// The error of a single failed job.
pub fn failure(row: TaskRow<'_>) -> Option<&Error> {
    match row {
        TaskRow::Batch(batch) if batch.counts.total == 1 && batch.has_failed() => {
            batch.failure.as_ref().map(|(_, error)| error)
        }
        TaskRow::Job(BatchJob {
            state: JobState::Failed(error),
            ..
        }) => Some(error),
        TaskRow::Batch(_) | TaskRow::Job(_) | TaskRow::Older(_) => None,
    }
}

fn lines_of_job(job: &BatchJob, state: &State) -> Vec<String> {
    let zone = &state.zone;
    let mut lines = vec![format!(
        "State     {}",
        progress::state_of_job(job, state).state_and_reason()
    )];
    if let JobState::Failed(error) = &job.state {
        lines.extend(error.advice(AdvicePlace::Screen));
        lines.extend(
            error
                .correlation_id
                .as_deref()
                .map(|id| format!("Error id  {}", visible(id))),
        );
    }
    lines.push(format!("From      {}", job.job.origin()));
    let title = title(TaskRow::Job(job), state);
    let to = title
        .rsplit_once(ARROW)
        .filter(|_| job.job.destination().is_some());
    let to = to.map(|(_, to)| match job.job.kind() {
        JobKind::Copy => in_account(&state.session.account.journal_name, to),
        _ => to.to_owned(),
    });
    lines.extend(to.map(|to| format!("To        {to}")));
    lines.extend(
        job.bytes
            .map(|bytes| format!("Bytes     {}", figures::grouped(bytes))),
    );
    lines.extend(job.stored.as_ref().map(|stored| {
        let by = stored.compared_by.word();
        format!("Content   the same as the source's, by {by}")
    }));
    if let JobState::Running(RunningJob {
        remote: Some(remote),
        ..
    }) = &job.state
    {
        lines.push(format!("Task id   {}", visible(remote.id.as_str())));
    }
    let time = |time| {
        format!(
            "{} {}",
            figures::date(time, zone),
            figures::time_of_day(time, zone)
        )
    };
    lines.extend(job.started_at.map(|at| format!("Started   {}", time(at))));
    let took = |at: Timestamp| {
        job.started_at
            .map(|from| figures::took(at.duration_since(from)))
            .map(|took| format!(", after {took}"))
    };
    lines.extend(
        job.ended_at
            .map(|at| format!("Ended     {}{}", time(at), took(at).unwrap_or_default())),
    );
    lines
}

fn lines_of_batch(batch: &Batch, state: &State) -> Vec<String> {
    let (counts, bytes, zone) = (batch.counts, batch.bytes, &state.zone);
    let mut lines = Vec::new();
    // For an ended batch the reason comes first; for a single failure it implies the state.
    let state_line = format!("State     {}", state_in_words(batch, state));
    let (first, behind) = if batch.has_failed() && !batch.is_live() {
        (None, (counts.total > 1).then_some(state_line))
    } else {
        (Some(state_line), None)
    };
    lines.extend(first);
    let is_listed = state
        .session
        .tasks
        .failures
        .as_ref()
        .is_some_and(|known| known.batch == batch.id && !known.list.is_empty());
    if let Some((what, error)) = batch
        .failure
        .as_ref()
        .filter(|_| counts.failed > 0 && !is_listed)
    {
        let what = if counts.total > 1 {
            format!("{what}: ")
        } else {
            String::new()
        };
        lines.push(format!("Failed    {what}{}", visible(&error.message)));
        let retry = state
            .keymap
            .key_of(Context::Tasks, Action::RetryTask)
            .filter(|_| !batch.is_live())
            .map(|key| format!("{key} retries what failed"));
        let next = match batch.final_failure() {
            Some(error) => error.advice(AdvicePlace::Screen),
            None => retry,
        };
        lines.extend(next.map(|next| format!("Next      {next}")));
    }
    lines.extend(behind);
    if counts.total > 1 {
        let parts = [
            (counts.done, "done"),
            (counts.failed, "failed"),
            (counts.cancelled, "canceled"),
            (counts.running, "under way"),
            (counts.waiting(), "waiting"),
        ];
        let parts = parts.iter().filter(|(count, _)| *count > 0);
        let parts: Vec<String> = parts
            .map(|(count, word)| format!("{} {word}", figures::number(*count)))
            .collect();
        lines.push(format!(
            "Items     {}: {}",
            figures::number(counts.total),
            parts.join(", ")
        ));
    }
    let label = short(batch.kind, &batch.label, state);
    let places = label
        .rsplit_once(ARROW)
        .filter(|_| batch.kind == JobKind::Download);
    if let Some((from, to)) = places {
        lines.extend([format!("From      {from}"), format!("To        {to}")]);
    }
    if batch.kind.is_transfer() && (bytes.done > 0 || bytes.total.is_some()) {
        let of = bytes
            .total
            .map(|total| format!(" of {}", figures::grouped(total)))
            .unwrap_or_default();
        lines.push(format!("Bytes     {}{of}", figures::grouped(bytes.done)));
    }
    let speed = state
        .session
        .tasks
        .speed(batch.id, state.now)
        .filter(|_| batch.state == BatchState::Running);
    lines.extend(speed.map(|speed| format!("Speed     {}/s", figures::size(speed))));
    let remote = batch
        .running
        .first()
        .and_then(|job| job.remote.as_ref())
        .filter(|_| counts.total == 1);
    lines.extend(remote.map(|remote| format!("Task id   {}", visible(remote.id.as_str()))));
    lines.push(format!(
        "Queued    {}",
        figures::date_time(batch.asked_at, zone)
    ));
    lines.extend(
        batch
            .started_at
            .map(|time| format!("Started   {}", figures::date_time(time, zone))),
    );
    lines.extend(
        batch
            .ended_at
            .map(|time| format!("Ended     {}", figures::date_time(time, zone))),
    );
    if counts.total > 1 {
        lines.extend(under_way(batch, state));
        lines.extend(failed(batch, state));
    }
    lines
}

fn state_in_words(batch: &Batch, state: &State) -> String {
    match &batch.state {
        BatchState::Queued => "queued".to_owned(),
        BatchState::Running => match batch.running.first().filter(|_| batch.counts.total == 1) {
            Some(job) if job.waiting.is_some() || job.remote.is_some() => {
                progress::under_way(job, state.now)
            }
            _ => "running".to_owned(),
        },
        BatchState::Held(hold) => progress::held(batch, hold, state).state_and_reason(),
        BatchState::Ended if progress::is_unwatched(batch) => {
            "no longer watched; the service continues".to_owned()
        }
        BatchState::Ended if batch.is_cancelled() => "canceled".to_owned(),
        BatchState::Ended => match batch.failure.as_ref().filter(|_| batch.has_failed()) {
            Some(_) if batch.counts.total == 1 => "failed".to_owned(),
            Some(_) => "ended with failures".to_owned(),
            None => "done".to_owned(),
        },
    }
}

fn under_way(batch: &Batch, state: &State) -> Vec<String> {
    if batch.running.is_empty() {
        return Vec::new();
    }
    let job = |job: &RunningJob| {
        format!("- {}  {}", job.label, progress::under_way(job, state.now))
            .trim_end()
            .to_owned()
    };
    [String::new(), "Under way".to_owned()]
        .into_iter()
        .chain(batch.running.iter().take(UNDER_WAY).map(job))
        .collect()
}

/// The failures with their reasons, and advice about the first one.
fn failed(batch: &Batch, state: &State) -> Vec<String> {
    let known = state
        .session
        .tasks
        .failures
        .as_ref()
        .filter(|failures| failures.batch == batch.id);
    let Some(failures) = known.filter(|failures| !failures.list.is_empty()) else {
        return Vec::new();
    };
    let reason = |(what, error): &(String, Error)| format!("- {what}: {}", visible(&error.message));
    let left_out = batch.counts.failed.saturating_sub(failures.list.len());
    let mut lines = vec![String::new(), "Failed".to_owned()];
    lines.extend(failures.list.iter().map(reason));
    if left_out > 0 {
        lines.push(format!("… and {} more", figures::number(left_out)));
    }
    lines.extend(
        failures
            .list
            .first()
            .and_then(|(_, error)| error.advice(AdvicePlace::Screen)),
    );
    if !batch.is_live() && batch.final_failure().is_none() {
        lines.extend(again(state));
    }
    lines
}

pub fn again(state: &State) -> Vec<String> {
    let key = state.keymap.key_of(Context::Tasks, Action::RetryTask);
    key.map(|key| {
        vec![
            String::new(),
            format!("Press {key} in the list of tasks to retry it."),
        ]
    })
    .unwrap_or_default()
}
