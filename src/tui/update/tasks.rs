//! The tasks view: cancel, retry, clear, and a task's details.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::submit;
use crate::engine::Request;
use crate::tui::dialog::{Dialog, Notice};
use crate::tui::keymap::{Action, Context};
use crate::tui::message::Effect;
use crate::tui::state::{Level, State, Status, Task};
use crate::tui::widget::figures;

pub(super) fn cancel(state: &mut State) -> Vec<Effect> {
    match state.desk.ops.selected() {
        Some(task) if task.is_live() => vec![Effect::Cancel(task.op)],
        Some(_) => {
            state.say(Level::Info, "This task has ended.");
            Vec::new()
        }
        None => {
            state.say(Level::Info, "There are no tasks.");
            Vec::new()
        }
    }
}

pub(super) fn retry(state: &mut State) -> Vec<Effect> {
    let is_over = |task: &&Task| matches!(task.status, Status::Failed(_) | Status::Cancelled);
    let Some(task) = state.desk.ops.selected().filter(is_over) else {
        state.say(Level::Info, "Only failed and cancelled tasks can be started again.");
        return Vec::new();
    };
    let op = task.op;
    let Some(job) = task.again() else {
        state.say(Level::Info, "This one was asked for in an earlier run; ask for it anew.");
        return Vec::new();
    };
    if state.desk.account.read_only && job.is_change() {
        submit::refuse_change(state);
        return Vec::new();
    }
    let Some(op) = state.desk.ops.retry(op, job.clone(), state.now) else { return Vec::new() };
    submit::mark_busy(state);
    vec![Effect::Submit(op, Request::Job(job))]
}

pub(super) fn clear(state: &mut State) {
    let cleared = state.desk.ops.clear_ended();
    let failed = state.desk.ops.failed();
    let cleared = format!("{} cleared.", figures::count(cleared, "task"));
    let text = if failed > 0 {
        let key = state.keymap.key_of(state.context(), Action::ClearTasks).unwrap_or_default();
        format!("{cleared} {failed} FAILED kept; {key} again clears that too.")
    } else {
        cleared
    };
    state.say(Level::Info, text);
}

/// Opens the details of the task under the cursor; for a failed one, the error.
pub(super) fn show_details(state: &mut State) {
    let Some(task) = state.desk.ops.selected() else { return };
    let title = format!("{}: {}", task.job.noun(), task.label);
    let again = state.keymap.key_of(Context::Tasks, Action::RetryTask);
    let notice = match task.error() {
        Some(error) => {
            let mut notice = Notice::problem(format!("{title} failed"), error);
            let again = again.filter(|_| task.again().is_some());
            notice.lines.extend(
                again
                    .into_iter()
                    .flat_map(|key| [String::new(), format!("{key} in the list of tasks starts it again.")]),
            );
            notice
        }
        None => Notice::of_task(task.op, title, lines(task, &state.zone, state.now)),
    };
    state.dialogs.push(Dialog::Notice(notice));
}

/// Brings open details up to date with their task.
pub(super) fn refresh_details(state: &mut State) {
    for dialog in &mut state.dialogs {
        if let Dialog::Notice(notice) = dialog
            && let Some(task) = notice.task.and_then(|op| state.desk.ops.task(op))
        {
            notice.lines = lines(task, &state.zone, state.now);
        }
    }
}

fn lines(task: &Task, zone: &TimeZone, now: Timestamp) -> Vec<String> {
    let mut lines = vec![format!("State     {}", status(task, zone, now))];
    if let Some((done, total)) = task.bytes {
        let of = total.map(|total| format!(" of {}", figures::grouped(total))).unwrap_or_default();
        lines.push(format!("Bytes     {}{of}", figures::grouped(done)));
    }
    if let Some(speed) = task.speed.bytes_per_second().filter(|_| task.is_live() && task.speed.stalled(now).is_none()) {
        lines.push(format!("Speed     {}/s", figures::size(speed)));
    }
    if let Some((done, total)) = task.items {
        lines.push(format!("Items     {done} of {total}"));
    }
    if let Some(remote) = &task.remote {
        lines.push(format!("Task id   {}", crate::api::text::visible(remote.id.as_str())));
    }
    lines.push(format!("Asked     {}", figures::date_time(task.queued_at, zone)));
    lines.extend(task.started_at.map(|time| format!("Started   {}", figures::date_time(time, zone))));
    lines.extend(task.ended_at.map(|time| format!("Ended     {}", figures::date_time(time, zone))));
    lines
}

fn status(task: &Task, zone: &TimeZone, now: Timestamp) -> String {
    let remote = task.remote.as_ref().and_then(|remote| remote.status.as_ref());
    match (&task.status, remote) {
        (Status::Queued, _) => "queued".to_owned(),
        (Status::Running, Some(remote)) => crate::api::text::visible(remote.as_str()).into_owned(),
        (Status::Running, None) => "running".to_owned(),
        (Status::Waiting { until, reason }, _) => {
            let left = until.as_second().saturating_sub(now.as_second());
            format!("{} ({})", reason.in_words(u64::try_from(left).unwrap_or(0)), figures::date_time(*until, zone))
        }
        (Status::Done, _) => "done".to_owned(),
        (Status::Failed(error), _) => format!("failed: {}", crate::api::text::visible(&error.message)),
        (Status::Cancelled, _) if task.job.is_remote() => "no longer watched; the service goes on".to_owned(),
        (Status::Cancelled, _) => "cancelled".to_owned(),
    }
}
