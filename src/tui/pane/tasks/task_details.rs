//! The details of a task or of one of its jobs, in a dialog that is updated while it is open.

use super::service_task;
use crate::api::Error;
use crate::engine::OpId;
use crate::engine::batch::JobId;
use crate::engine::question::ListFailures;
use crate::engine::queue_view::JobState;
use crate::tui::areas;
use crate::tui::dialog::{Dialog, Followed, Notice};
use crate::tui::pane::ask::{OnAnswer, ask};
use crate::tui::state::{Failures, FailuresRead, MessageLevel, State, TaskRow};
use crate::tui::wording::task;

/// Opens the details of the row under the cursor if the pane below the list does not show all of
/// them; else unfolds or folds the row.
pub(crate) fn open(state: &mut State) {
    let rows = areas::task_details(state).map_or(0, usize::from);
    match state.session.tasks.selected() {
        Some(TaskRow::Older(_)) => state.session.tasks.turn(),
        Some(row @ TaskRow::Batch(batch))
            if !task::has_more(batch) && task::lines(row, state).len() <= rows =>
        {
            if batch.can_unfold() {
                state.session.tasks.turn();
            } else {
                state.say(MessageLevel::Hint, "Its details are below.");
            }
        }
        _ => show(state),
    }
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
            notice.followed = ended(row, false).map(Followed::Failure);
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
        Followed::Task(id) => tasks.batch(id).map(|batch| TaskRow::Batch(batch)),
        Followed::Job(id) => tasks.job(id).map(TaskRow::Job),
        Followed::Failure(job) => return refresh_failure(state, open, job),
        Followed::ServiceTask => None,
    };
    let Some(row) = row else { return };
    let (unwatched, ended) = (ended(row, true), ended(row, false));
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

/// The job of a row that the service may have made a task of its own, if it has ended: canceled,
/// so that the service's task may continue, or not.
fn ended(row: TaskRow<'_>, is_canceled: bool) -> Option<JobId> {
    let (job, kind, is_live, was_canceled) = match row {
        TaskRow::Batch(batch) if batch.counts.total == 1 => {
            let job = JobId {
                batch: batch.id,
                number: 0,
            };
            (job, batch.kind, batch.is_live(), batch.is_cancelled())
        }
        TaskRow::Job(job) => {
            let was_canceled = matches!(job.state, JobState::Cancelled { .. });
            (job.id, job.job.kind(), job.is_live(), was_canceled)
        }
        TaskRow::Batch(_) | TaskRow::Older(_) => return None,
    };
    (kind.is_remote() && !is_live && was_canceled == is_canceled).then_some(job)
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
