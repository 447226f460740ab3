//! The tasks view: pauses, resumes, cancels, retries, moves up and unfolds tasks, and tells the
//! queue which rows are visible.

use super::task_details;
use crate::api::Error;
use crate::config::Setting;
use crate::engine::OpId;
use crate::engine::batch::{Batch, BatchId, BatchState, Control};
use crate::engine::question::ControlQueue;
use crate::engine::queue_view::BatchJob;
use crate::tui::areas;
use crate::tui::dialog::{Confirm, Dialog, Intent, Prompt};
use crate::tui::keymap::Action;
use crate::tui::pane::ask::{OnAnswer, ask};
use crate::tui::state::{ControlRead, MessageLevel, State, TaskRow, View};
use crate::tui::widget::figures;
use crate::tui::wording::task;

/// Lists the jobs of the task under the cursor, or goes to the first of them. A row without jobs
/// shows its details.
pub(crate) fn unfold(state: &mut State) {
    match state.session.tasks.selected() {
        Some(TaskRow::Older(older)) => tell(state, Control::ShowOlder(!older.is_unfolded)),
        Some(TaskRow::Batch(batch)) if batch.unfolded => {
            let tasks = &mut state.session.tasks;
            tasks.move_cursor(|cursor| cursor.go_to(cursor.at() + 1));
        }
        Some(TaskRow::Batch(batch)) if batch.can_unfold() => {
            let control = Control::Unfold(batch.id, true);
            tell(state, control);
        }
        Some(_) => task_details::show(state),
        None => {}
    }
}

/// Hides the jobs of the task under the cursor, or of the task of the job under it.
pub(crate) fn fold(state: &mut State) {
    let control = match state.session.tasks.selected() {
        Some(TaskRow::Batch(batch)) => Control::Unfold(batch.id, false),
        Some(TaskRow::Job(job)) => Control::Unfold(job.id.batch, false),
        Some(TaskRow::Older(older)) => Control::ShowOlder(!older.is_unfolded),
        None => return,
    };
    state.session.tasks.leave_jobs();
    tell(state, control);
}

pub(crate) fn turn(state: &mut State) {
    match state.session.tasks.selected_batch() {
        Some(batch) if !batch.unfolded => unfold(state),
        _ => fold(state),
    }
}

/// Pauses the task under the cursor, or resumes it if it is held.
pub(crate) fn pause(state: &mut State) {
    match state.session.tasks.selected_batch() {
        Some(batch) if matches!(batch.state, BatchState::Held(_)) => resume(state),
        _ => tell_batch(state, Control::Pause),
    }
}

pub(crate) fn cancel(state: &mut State) {
    match state.session.tasks.selected() {
        Some(TaskRow::Job(job)) => {
            let job = job.clone();
            cancel_job(state, &job);
        }
        Some(TaskRow::Batch(batch)) if has_begun(batch) => ask_cancel(state),
        _ => tell_batch(state, Control::Cancel),
    }
}

/// Returns `true` if part of the task was sent, or is being sent.
fn has_begun(batch: &Batch) -> bool {
    batch.bytes.done > 0 || batch.counts.done > 0 || batch.counts.running > 0
}

fn ask_cancel(state: &mut State) {
    let Some(batch) = state.session.tasks.selected_batch() else {
        return;
    };
    let done = match batch.counts.total {
        1 => "It has begun.".to_owned(),
        total => format!(
            "{} of {} are done.",
            figures::number(batch.counts.done),
            figures::count(total, "item")
        ),
    };
    let title = task::title(TaskRow::Batch(batch), state);
    let title = format!("Stop this task: {title}?");
    let body = format!("{done}{}", batch.kind.after_cancelling());
    let confirm = Confirm::new(title, "Stop", Intent::CancelTask(batch.id), state.now)
        .harmless()
        .saying(body);
    state.dialogs.push(Dialog::Confirm(confirm));
}

pub(crate) fn cancel_batch(state: &mut State, batch: BatchId) {
    tell(state, Control::Cancel(batch));
}

fn cancel_job(state: &mut State, job: &BatchJob) {
    if let Some(target) = job.job.target() {
        state
            .session
            .tasks
            .busy
            .settled(job.id.batch, &target, false);
    }
    tell(state, Control::CancelJob(job.id));
}

pub(crate) fn sooner(state: &mut State) {
    tell_batch(state, Control::MoveToTop);
}

/// Retries the failed or canceled items under the cursor, or resumes a held task.
pub(crate) fn retry(state: &mut State) {
    let (control, target) = match state.session.tasks.selected() {
        Some(TaskRow::Batch(batch)) if matches!(batch.state, BatchState::Held(_)) => {
            return resume(state);
        }
        Some(TaskRow::Batch(batch)) => (Control::Retry(batch.id), None),
        Some(TaskRow::Job(job)) => (Control::RetryJob(job.id), job.job.target()),
        _ => return,
    };
    let busy = &mut state.session.tasks.busy;
    match (control, target) {
        (Control::Retry(id), _) => busy.again(id),
        (Control::RetryJob(id), Some(target)) => busy.again_for(id.batch, &target),
        _ => {}
    }
    tell(state, control);
}

pub(crate) fn retry_failed(state: &mut State) {
    let tasks = &mut state.session.tasks;
    let failed = tasks.known_to_retry().map(|batch| batch.id);
    for id in failed.collect::<Vec<_>>() {
        tasks.busy.again(id);
    }
    tell(state, Control::RetryFailed);
}

fn resume(state: &mut State) {
    let Some(id) = state.session.tasks.selected_batch().map(|batch| batch.id) else {
        return;
    };
    // The user is told again if the task has to wait for the same reason.
    state.session.tasks.causes.remove(&id);
    tell(state, Control::Resume(id));
}

/// Stops the queue from starting anything new, or lets it continue.
pub(crate) fn drain(state: &mut State) {
    let control = Control::PauseQueue(!state.session.tasks.totals().draining);
    tell(state, control);
}

pub(crate) fn clear(state: &mut State) {
    let tasks = &state.session.tasks;
    let ended = tasks.batches().saturating_sub(tasks.totals().unfinished);
    let (older, shown) = (
        tasks.older(),
        tasks.known().filter(|batch| batch.has_failed()).count(),
    );
    let failed = if older.is_unfolded {
        shown
    } else {
        shown + older.failed
    };
    let key = state
        .keymap
        .key_of(state.context(), Action::ClearTasks)
        .unwrap_or_default();
    let then = match ended.saturating_sub(failed) {
        0 => format!("{} cleared.", figures::count(ended, "task")),
        well if failed == 0 => format!("{} cleared.", figures::count(well, "task")),
        well => {
            format!(
                "{} cleared. {failed} FAILED kept; press {key} again to clear those too.",
                figures::count(well, "task")
            )
        }
    };
    order(state, Control::ClearEnded, Some(then));
}

pub(crate) fn ask_limit_rate(state: &mut State) {
    let Some(setting) = Setting::named("limit_rate") else {
        return;
    };
    let now = state.settings.config.limit_rate;
    state
        .dialogs
        .push(Dialog::Prompt(Prompt::limit_rate(setting, now)));
}

/// Tells the queue which rows are visible, if their number has changed or some of them are not
/// known.
pub(crate) fn watch(state: &mut State) {
    let tasks = &state.session.tasks;
    let rows = if state.view == View::Tasks {
        rows_on_screen(state)
    } else {
        0
    };
    let shown = state.window(tasks.cursor(), rows);
    let (around, asked) = tasks.watched;
    let is_lacking = !tasks.covers(shown) && around != tasks.place();
    if rows == asked && !(rows > 0 && is_lacking) {
        return;
    }
    let around = tasks.place().filter(|_| rows > 0);
    state.session.tasks.watched = (around, rows);
    tell(state, Control::Watch { around, rows });
}

fn rows_on_screen(state: &State) -> usize {
    let list = areas::areas(state.size, state)
        .map_or(0, |areas| areas::tasks(areas.body, state)[0].height);
    usize::from(list.saturating_sub(areas::AROUND)).max(1)
}

/// Sends the queue a command for the task under the cursor.
fn tell_batch(state: &mut State, control: impl Fn(BatchId) -> Control) {
    if let Some(batch) = state.session.tasks.selected_batch() {
        let control = control(batch.id);
        tell(state, control);
    }
}

fn tell(state: &mut State, control: Control) {
    order(state, control, None);
}

fn order(state: &mut State, control: Control, then: Option<String>) {
    ask(state, ControlRead { control, then }, ControlQueue(control));
}

impl OnAnswer for ControlRead {
    type Question = ControlQueue;

    fn answered(self, state: &mut State, _: OpId, (): ()) {
        if let Some(text) = self.then {
            state.say(MessageLevel::Info, text);
        }
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) {
        let tasks = &mut state.session.tasks;
        match self.control {
            Control::Retry(batch) => tasks.busy.ended(batch),
            Control::RetryJob(id) => {
                if let Some(target) = tasks.job(id).and_then(|job| job.job.target()) {
                    tasks.busy.settled(id.batch, &target, false);
                }
            }
            _ => {}
        }
        state.say_failed("The tasks could not be changed", error);
    }
}
