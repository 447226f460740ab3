//! The tasks view: pauses, resumes, cancels, retries, moves up and unfolds tasks, and tells the
//! queue which rows are visible.

use super::browse::{move_cursor, page_rows};
use super::{submit, task_details};
use crate::api::Error;
use crate::engine::OpId;
use crate::engine::batch::{Batch, BatchId, BatchState, Control};
use crate::engine::job::Pool;
use crate::engine::question::ControlQueue;
use crate::engine::queue_view::{BatchJob, JobState};
use crate::tui::dialog::{Confirm, Dialog, Intent};
use crate::tui::keymap::Action;
use crate::tui::state::{ControlRead, MessageLevel, State, TaskRow, View};
use crate::tui::update::ask::{OnAnswer, ask};
use crate::tui::widget::figures;

/// Lists the jobs of the task under the cursor, or goes to the first of them. A row without jobs
/// shows its details.
pub(super) fn unfold(state: &mut State) {
    match state.session.tasks.selected() {
        Some(TaskRow::Older(older)) => tell(state, Control::ShowOlder(!older.is_unfolded)),
        Some(TaskRow::Batch(batch)) if batch.unfolded => move_cursor(state, Action::MoveDown),
        Some(TaskRow::Batch(batch)) if batch.can_unfold() => {
            let control = Control::Unfold(batch.id, true);
            tell(state, control);
        }
        Some(_) => task_details::show(state),
        None => state.say(MessageLevel::Hint, NO_TASKS),
    }
}

/// Hides the jobs of the task under the cursor, or of the task of the job under it.
pub(super) fn fold(state: &mut State) {
    let control = match state.session.tasks.selected() {
        Some(TaskRow::Batch(batch)) if batch.unfolded => Control::Unfold(batch.id, false),
        Some(TaskRow::Job(job)) => Control::Unfold(job.id.batch, false),
        Some(TaskRow::Older(older)) => Control::ShowOlder(!older.is_unfolded),
        Some(TaskRow::Batch(_)) => {
            return state.say(MessageLevel::Hint, "This task has no list of items.");
        }
        None => return state.say(MessageLevel::Hint, NO_TASKS),
    };
    state.session.tasks.leave_jobs();
    tell(state, control);
}

pub(super) fn turn(state: &mut State) {
    match state.session.tasks.selected_batch() {
        Some(batch) if !batch.unfolded => unfold(state),
        _ => fold(state),
    }
}

/// Pauses the task under the cursor, or resumes it if it is held.
pub(super) fn pause(state: &mut State) {
    match state.session.tasks.selected() {
        Some(TaskRow::Job(_)) => state.say(MessageLevel::Hint, "Only a whole task can be paused."),
        Some(TaskRow::Older(_)) => state.say(MessageLevel::Hint, ENDED),
        Some(TaskRow::Batch(Batch {
            state: BatchState::Held(_),
            ..
        })) => resume(state),
        _ => tell_live(state, Control::Pause),
    }
}

pub(super) fn cancel(state: &mut State) {
    match state.session.tasks.selected() {
        Some(TaskRow::Job(job)) => {
            let job = job.clone();
            cancel_job(state, &job);
        }
        Some(TaskRow::Older(_)) => state.say(MessageLevel::Hint, ENDED),
        Some(TaskRow::Batch(batch)) if batch.is_live() && has_begun(batch) => ask_cancel(state),
        _ => tell_live(state, Control::Cancel),
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
    let title = format!(
        "Stop this task: {} {}?",
        batch.kind.imperative(),
        batch.label
    );
    let body = format!("{done}{}", batch.kind.after_cancelling());
    let confirm = Confirm::new(title, "Stop", Intent::CancelTask(batch.id), state.now)
        .harmless()
        .saying(body);
    state.dialogs.push(Dialog::Confirm(confirm));
}

pub(super) fn cancel_batch(state: &mut State, batch: BatchId) {
    tell(state, Control::Cancel(batch));
}

fn cancel_job(state: &mut State, job: &BatchJob) {
    match job.state {
        JobState::Running(_) if job.job.kind().pool() == Pool::Edit => {
            return state.say(
                MessageLevel::Hint,
                "It is running; a change is never interrupted.",
            );
        }
        JobState::Waiting | JobState::Running(_) => {}
        JobState::Done | JobState::Failed(_) | JobState::Cancelled { .. } => {
            return state.say(MessageLevel::Hint, "This item has ended.");
        }
    }
    if let Some(target) = job.job.target() {
        state
            .session
            .tasks
            .busy
            .settled(job.id.batch, &target, false);
    }
    tell(state, Control::CancelJob(job.id));
}

pub(super) fn sooner(state: &mut State) {
    match state.session.tasks.selected() {
        Some(TaskRow::Job(_)) => state.say(
            MessageLevel::Hint,
            "Only a whole task can be moved to the top.",
        ),
        Some(TaskRow::Older(_)) => state.say(MessageLevel::Hint, ENDED),
        _ => tell_live(state, Control::MoveToTop),
    }
}

/// Retries the failed or canceled items under the cursor, or resumes a held task.
pub(super) fn retry(state: &mut State) {
    let (control, target, is_change) = match state.session.tasks.selected() {
        Some(TaskRow::Batch(Batch {
            state: BatchState::Held(_),
            ..
        })) => return resume(state),
        Some(TaskRow::Batch(batch)) if batch.can_retry() => {
            (Control::Retry(batch.id), None, batch.kind.is_change())
        }
        Some(TaskRow::Job(job)) if job.can_retry() => (
            Control::RetryJob(job.id),
            job.job.target(),
            job.job.kind().is_change(),
        ),
        _ => {
            return state.say(
                MessageLevel::Hint,
                "Only failed, canceled or waiting items can be retried.",
            );
        }
    };
    if is_refused(state, is_change) {
        return;
    }
    let busy = &mut state.session.tasks.busy;
    match (control, target) {
        (Control::Retry(id), _) => busy.again(id),
        (Control::RetryJob(id), Some(target)) => busy.again_for(id.batch, &target),
        _ => {}
    }
    tell(state, control);
}

pub(super) fn retry_failed(state: &mut State) {
    if !state.session.tasks.can_retry_failed() {
        let is_live = state.session.tasks.totals().failed > 0;
        let text = if is_live {
            "Failed items can be retried once their task has ended."
        } else {
            "Nothing has failed."
        };
        return state.say(MessageLevel::Hint, text);
    }
    let failed: Vec<_> = state
        .session
        .tasks
        .known()
        .filter(|batch| batch.has_failed())
        .collect();
    let is_change = failed.iter().any(|batch| batch.kind.is_change());
    let ids: Vec<_> = failed.iter().map(|batch| batch.id).collect();
    if is_refused(state, is_change) {
        return;
    }
    for id in ids {
        state.session.tasks.busy.again(id);
    }
    tell(state, Control::RetryFailed);
}

fn resume(state: &mut State) {
    let Some(batch) = state.session.tasks.selected_batch() else {
        return;
    };
    let (id, is_change) = (batch.id, batch.kind.is_change());
    if is_refused(state, is_change) {
        return;
    }
    // The user is told again if the task has to wait for the same reason.
    state.session.tasks.causes.remove(&id);
    tell(state, Control::Resume(id));
}

/// Stops the queue from starting anything new, or lets it continue.
pub(super) fn drain(state: &mut State) {
    let control = Control::PauseQueue(!state.session.tasks.totals().draining);
    tell(state, control);
}

pub(super) fn clear(state: &mut State) {
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
    if ended == 0 {
        return state.say(MessageLevel::Hint, "No task has ended.");
    }
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

/// Tells the queue which rows are visible, if their number has changed or some of them are not
/// known.
pub(super) fn watch(state: &mut State) {
    let tasks = &state.session.tasks;
    let rows = if state.view == View::Tasks {
        page_rows(state)
    } else {
        0
    };
    let shown = state.window(tasks.cursor_offset, tasks.row(), tasks.len(), rows);
    let (around, asked) = tasks.watched;
    let is_lacking = !tasks.covers(shown) && around != tasks.place();
    if rows == asked && !(rows > 0 && is_lacking) {
        return;
    }
    let around = tasks.place().filter(|_| rows > 0);
    state.session.tasks.watched = (around, rows);
    tell(state, Control::Watch { around, rows });
}

/// Sends the queue a command for the task under the cursor; a hint says why if it cannot have one.
fn tell_live(state: &mut State, control: impl Fn(BatchId) -> Control) {
    match state.session.tasks.selected_batch() {
        Some(batch) if batch.is_live() => {
            let control = control(batch.id);
            tell(state, control);
        }
        Some(_) => state.say(MessageLevel::Hint, ENDED),
        None => state.say(MessageLevel::Hint, NO_TASKS),
    }
}

const NO_TASKS: &str = "There are no tasks.";
const ENDED: &str = "This task has ended.";

/// Returns `true` if the change is refused because the account is read-only, and says so.
fn is_refused(state: &mut State, is_change: bool) -> bool {
    let is_refused = is_change && state.session.account.read_only;
    if is_refused {
        submit::refuse_change(state);
    }
    is_refused
}

fn tell(state: &mut State, control: Control) {
    order(state, control, None);
}

fn order(state: &mut State, control: Control, then: Option<String>) {
    ask(state, ControlRead { control, then }, ControlQueue(control));
}

impl OnAnswer for ControlRead {
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
