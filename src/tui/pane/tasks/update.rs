//! The tasks view: pauses, resumes, cancels, retries, moves up and unfolds tasks, and asks for
//! the jobs in the visible rows.

use super::{draw, task_details};
use crate::api::Error;
use crate::config::Setting;
use crate::engine::OpId;
use crate::engine::batch::{Batch, BatchId, BatchState, Control};
use crate::engine::question::{ControlQueue, ListJobs};
use crate::engine::queue_view::BatchJob;
use crate::tui::areas;
use crate::tui::dialog::{Confirm, Dialog, Intent, Prompt};
use crate::tui::keymap::Action;
use crate::tui::pane::ask::{OnAnswer, ask};
use crate::tui::state::{ControlRead, JobsRead, MessageLevel, State, TaskRow, View};
use crate::tui::widget::figures;
use crate::tui::wording::task;

/// Lists the jobs of the task under the cursor, or goes to the first of them. A row without jobs
/// shows its details.
pub(crate) fn unfold(state: &mut State) {
    let tasks = &mut state.session.tasks;
    match tasks.selected() {
        Some(TaskRow::Batch(batch)) if tasks.is_unfolded(batch.id) => {
            tasks.move_cursor(|cursor| cursor.step(1));
        }
        Some(TaskRow::Batch(batch)) if !batch.can_unfold() => task_details::show(state),
        Some(TaskRow::Job(_)) => task_details::show(state),
        _ => tasks.turn(),
    }
}

/// Lists or hides what is below the row under the cursor.
pub(crate) fn turn(state: &mut State) {
    state.session.tasks.turn();
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
    let failed = tasks.failed_to_retry().map(|batch| batch.id);
    for id in failed.collect::<Vec<_>>() {
        tasks.busy.again(id);
    }
    let older = tasks.older().is_unfolded;
    tell(state, Control::RetryFailed { older });
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
    let ended = || {
        let all = state.session.tasks.all().iter();
        all.filter(|batch| !batch.is_live())
    };
    let failed = ended().filter(|batch| batch.has_failed()).count();
    let ended = ended().count();
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

/// Asks for the jobs in the visible rows that are not known.
pub(crate) fn ask_jobs(state: &mut State) {
    let Some(areas) = areas::areas(state.size, state).filter(|_| state.view == View::Tasks) else {
        return;
    };
    let [list, _] = areas::tasks(areas.body, state);
    let shown = draw::list_box(list, state).shown;
    for read in state.session.tasks.questions(shown) {
        let question = ListJobs {
            batch: read.batch.id,
            range: read.range.clone(),
        };
        ask(state, read, question);
    }
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

impl OnAnswer for JobsRead {
    type Question = ListJobs;

    fn answered(self, state: &mut State, _: OpId, jobs: Vec<BatchJob>) {
        state.session.tasks.set_jobs(&self, jobs);
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) {
        state.say_failed("The items of a task could not be read", error);
    }
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
