//! The details of a task or of one of its jobs, in a dialog that is updated while it is open.

use super::service_task;
use crate::api::Error;
use crate::engine::OpId;
use crate::engine::batch::{Control, JobId};
use crate::engine::question::{ControlQueue, ListFailures};
use crate::engine::queue_view::JobState;
use crate::tui::areas;
use crate::tui::dialog::{Dialog, Followed, Notice};
use crate::tui::pane::ask::{OnAnswer, ask};
use crate::tui::state::{ControlRead, Failures, FailuresRead, MessageLevel, State, TaskRow};
use crate::tui::wording::task;

/// Opens the details of the row under the cursor if the pane below the list does not show all of
/// them; else unfolds or folds the row.
pub(crate) fn open(state: &mut State) {
    let rows = areas::task_details(state).map_or(0, usize::from);
    let control = match state.session.tasks.selected() {
        Some(TaskRow::Older(older)) => Control::ShowOlder(!older.is_unfolded),
        Some(row @ TaskRow::Batch(batch))
            if !task::has_more(batch) && task::lines(row, state).len() <= rows =>
        {
            if !batch.can_unfold() {
                return state.say(MessageLevel::Hint, "Its details are below.");
            }
            Control::Unfold(batch.id, !batch.unfolded)
        }
        _ => {
            show(state);
            return;
        }
    };
    ask(
        state,
        ControlRead {
            control,
            then: None,
        },
        ControlQueue(control),
    );
}

/// Opens the details of the row under the cursor; the error if a single job has failed.
pub(crate) fn show(state: &mut State) {
    let Some(row) = state.session.tasks.selected() else {
        return;
    };
    let (title, lines) = (task::title(row, state), task::lines(row, state));
    let notice = match (task::failure(row), row) {
        (Some(error), _) => {
            let mut notice = Notice::problem(format!("{title} failed"), error);
            notice.lines.extend(state.token_advice(error));
            if !error.is_final() {
                notice.lines.extend(task::again(state));
            }
            notice.followed = ended(row).map(Followed::Failure);
            notice
        }
        (None, TaskRow::Batch(batch)) => Notice::following(Followed::Task(batch.id), title, lines),
        (None, TaskRow::Job(job)) => Notice::following(Followed::Job(job.id), title, lines),
        (None, TaskRow::Older(_)) => return,
    };
    state.dialogs.push(Dialog::Notice(notice));
}

/// Updates the open details. Requests the failures of a task if more items have failed than are
/// known, but nothing from a closed session.
pub(crate) fn refresh(state: &mut State) {
    let followed = state
        .dialogs
        .iter()
        .enumerate()
        .find_map(|(at, dialog)| match dialog {
            Dialog::Notice(Notice {
                followed: Some(followed),
                ..
            }) => Some((at, *followed)),
            _ => None,
        });
    let Some((open, followed)) = followed else {
        (
            state.session.tasks.failures,
            state.session.tasks.last_status,
        ) = (None, None);
        return;
    };
    let tasks = &state.session.tasks;
    let row = match followed {
        Followed::Task(id) => tasks.batch(id).map(TaskRow::Batch),
        Followed::Job(id) => tasks.job(id).map(TaskRow::Job),
        Followed::Failure(job) => return refresh_failure(state, open, job),
        Followed::ServiceTask => None,
    };
    let Some(row) = row else { return };
    let (unwatched, ended) = (unwatched(row), ended(row));
    let mut fresh = task::lines(row, state);
    let id = ended.and_then(|job| service_task::shown_id(state, job));
    fresh.extend(id.map(|id| format!("Task id   {id}")));
    fresh.extend(
        unwatched
            .map(|job| service_task::lines_behind(state, job))
            .unwrap_or_default(),
    );
    // The state of a single job already tells its failure.
    let failed = match row {
        TaskRow::Batch(batch) if batch.counts.total > 1 => Some((batch.id, batch.counts.failed)),
        TaskRow::Batch(_) | TaskRow::Job(_) | TaskRow::Older(_) => None,
    };
    if let Some(Dialog::Notice(notice)) = state.dialogs.get_mut(open) {
        notice.lines = fresh;
    }
    if state.session.is_closed {
        return;
    }
    if let Some(job) = unwatched {
        return service_task::look_behind(state, job);
    }
    if let Some(job) = ended {
        return service_task::look_up_id(state, job);
    }
    let Some((id, failed)) = failed else { return };
    let known = state
        .session
        .tasks
        .failures
        .as_ref()
        .filter(|failures| failures.batch == id);
    if known.map_or(0, |failures| failures.failed) == failed {
        return;
    }
    let list = known
        .map(|failures| failures.list.clone())
        .unwrap_or_default();
    state.session.tasks.failures = Some(Failures {
        batch: id,
        failed,
        list,
    });
    ask(state, FailuresRead(id), ListFailures(id));
}

/// Adds the id of the service's task to an open error.
fn refresh_failure(state: &mut State, open: usize, job: JobId) {
    let id = service_task::shown_id(state, job);
    let line = id.map(|id| format!("Task id         {id}"));
    if let (Some(Dialog::Notice(notice)), Some(line)) = (state.dialogs.get_mut(open), line)
        && !notice.lines.contains(&line)
    {
        notice.copy = notice.copy.take().map(|copy| format!("{copy}\n{line}"));
        notice.lines.push(line);
    }
    if !state.session.is_closed {
        service_task::look_up_id(state, job);
    }
}

/// The job of an ended task or row that the service may have made a task of its own, other than a
/// canceled one.
fn ended(row: TaskRow<'_>) -> Option<JobId> {
    match row {
        TaskRow::Batch(batch) => {
            let is_one = batch.counts.total == 1 && batch.kind.is_remote();
            let is_ended = is_one && !batch.is_live() && !batch.is_cancelled();
            is_ended.then_some(JobId {
                batch: batch.id,
                number: 0,
            })
        }
        TaskRow::Job(job) => {
            let is_ended = matches!(job.state, JobState::Done | JobState::Failed(_));
            (is_ended && job.job.kind().is_remote()).then_some(job.id)
        }
        TaskRow::Older(_) => None,
    }
}

/// The job whose task may continue at the service although it was canceled here.
fn unwatched(row: TaskRow<'_>) -> Option<JobId> {
    match row {
        TaskRow::Batch(batch) => {
            let is_one = batch.counts.total == 1 && batch.kind.is_remote() && batch.is_cancelled();
            is_one.then_some(JobId {
                batch: batch.id,
                number: 0,
            })
        }
        TaskRow::Job(job) => {
            let is_one =
                job.job.kind().is_remote() && matches!(job.state, JobState::Cancelled { .. });
            is_one.then_some(job.id)
        }
        TaskRow::Older(_) => None,
    }
}

impl OnAnswer for FailuresRead {
    type Question = ListFailures;

    fn answered(self, state: &mut State, _: OpId, answer: Vec<(String, Error)>) {
        // The details may have been closed, or opened for another batch.
        if let Some(failures) = state
            .session
            .tasks
            .failures
            .as_mut()
            .filter(|failures| failures.batch == self.0)
        {
            failures.list = answer;
        }
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) {
        state.say_failed("The failures could not be read", error);
    }
}
