//! Looks up tasks of the service, by a typed id or behind a job that is no longer watched.

use crate::api::Error;
use crate::api::ids::TaskId;
use crate::api::text::visible;
use crate::engine::OpId;
use crate::engine::batch::JobId;
use crate::engine::question::{GetTask, GetTaskId};
use crate::engine::service_task::{ServiceTask, Which};
use crate::tui::dialog::{Dialog, Followed, Notice, Prompt};
use crate::tui::keymap::Action;
use crate::tui::pane::ask::{OnAnswer, ask};
use crate::tui::pane::component::Due;
use crate::tui::pane::copy;
use crate::tui::state::{
    JobTaskRead, LastStatus, MessageLevel, ServiceTaskRead, ShownTaskIdRead, State, TaskIdRead,
    TaskRow, WatchedTask,
};
use crate::tui::widget::figures;

pub(crate) fn prompt(state: &mut State) {
    state.dialogs.push(Dialog::Prompt(Prompt::service_task()));
}

pub(crate) fn ask_status(state: &mut State, id: String) {
    state.session.tasks.watched_task = None;
    let which = Which::Id(TaskId::new(&id));
    ask(
        state,
        ServiceTaskRead {
            id,
            is_again: false,
        },
        GetTask(which),
    );
}

/// The next look at a task of the service that has not ended.
pub(crate) fn due(state: &State) -> Option<Due> {
    let watched = state.session.tasks.watched_task.as_ref();
    let watched = watched.filter(|_| !state.session.connection.is_lost());
    Due::new(watched.map(|task| task.next), ask_status_again)
}

fn ask_status_again(state: &mut State) {
    let Some(task) = state.session.tasks.watched_task.as_mut() else {
        return;
    };
    let id = task.id.clone();
    *task = WatchedTask::new(id.clone(), state.now);
    let read = ServiceTaskRead {
        id: id.to_string(),
        is_again: true,
    };
    ask(state, read, GetTask(Which::Id(id)));
}

/// Copies the id of the service's task behind the job under the cursor.
pub(crate) fn copy_id(state: &mut State) {
    let job = match state.session.tasks.selected() {
        Some(TaskRow::Job(job)) if job.job.kind().is_remote() => Ok(job.id),
        Some(TaskRow::Batch(batch)) if batch.kind.is_remote() && batch.counts.total == 1 => {
            Ok(JobId {
                batch: batch.id,
                number: 0,
            })
        }
        Some(TaskRow::Batch(batch)) if batch.kind.is_remote() => {
            Err("Each item has its own task id: choose an item.")
        }
        Some(_) => Err("Only imports and changes of folders have a task id."),
        None => Err("There are no tasks."),
    };
    match job {
        Ok(job) => {
            ask(state, TaskIdRead, GetTaskId(job));
        }
        Err(why) => state.say(MessageLevel::Hint, why),
    }
}

/// Requests the status of the task behind a job whose details are open, once.
pub(crate) fn look_behind(state: &mut State, job: JobId) {
    if begin(state, job) {
        ask(state, JobTaskRead(job), GetTask(Which::Of(job)));
    }
}

/// Requests the id of the task behind an ended job whose details are open, once.
pub(crate) fn look_up_id(state: &mut State, job: JobId) {
    if begin(state, job) {
        ask(state, ShownTaskIdRead(job), GetTaskId(job));
    }
}

/// Returns `true` if nothing was requested for this job yet.
fn begin(state: &mut State, job: JobId) -> bool {
    let last_status = state.session.tasks.last_status.as_ref();
    if last_status.is_some_and(|last_status| last_status.job == job) {
        return false;
    }
    state.session.tasks.last_status = Some(LastStatus {
        job,
        id: None,
        answer: None,
    });
    true
}

/// Returns the id of the task behind an ended job, safe to show, once it is known.
pub(crate) fn shown_id(state: &State, job: JobId) -> Option<String> {
    let last_status = state.session.tasks.last_status.as_ref();
    let known = last_status.filter(|last_status| last_status.job == job)?;
    let id = known.id.as_ref()?;
    Some(visible(id.as_str()).into_owned())
}

fn record_status(state: &mut State, job: JobId, answer: Result<(TaskId, ServiceTask), Error>) {
    if let Some(last_status) = state
        .session
        .tasks
        .last_status
        .as_mut()
        .filter(|last_status| last_status.job == job)
    {
        last_status.answer = Some(answer);
    }
}

/// Shows the status of a task in its open notice, or in a new one unless the user has opened a
/// dialog or is typing by now.
fn show(state: &mut State, id: &TaskId, task: &ServiceTask, is_again: bool) {
    let (title, lines) = (
        visible(&format!("{} {id}", task.noun())).into_owned(),
        lines(state, id, task),
    );
    let (copy, is_over) = (lines.join("\n"), task.status().is_final());
    state.session.tasks.watched_task = (!is_over).then(|| WatchedTask::new(id.clone(), state.now));
    let open = state.dialogs.iter_mut().find_map(|dialog| match dialog {
        Dialog::Notice(notice) if notice.followed == Some(Followed::ServiceTask) => Some(notice),
        _ => None,
    });
    if let Some(notice) = open.filter(|notice| notice.title == title) {
        (notice.lines, notice.copy) = (lines, Some(copy));
    } else if !is_again && state.dialogs.is_empty() && !state.is_typing() {
        let mut notice = Notice::following(Followed::ServiceTask, title, lines);
        notice.copy = Some(copy);
        state.dialogs.push(Dialog::Notice(notice));
    } else if is_over || !is_again {
        state.say(
            MessageLevel::Info,
            format!(
                "{title}: {}",
                visible(task.status().as_str()).to_lowercase()
            ),
        );
    }
}

/// The status of a task, one line per fact; safe to show.
fn lines(state: &State, id: &TaskId, task: &ServiceTask) -> Vec<String> {
    let time = |time| {
        format!(
            "{} {}",
            figures::date(time, &state.zone),
            figures::time_of_day(time, &state.zone)
        )
    };
    task.lines(Some(id), time)
        .iter()
        .map(|line| visible(line).into_owned())
        .collect()
}

/// The service's status of the task behind a job, for its details.
pub(crate) fn lines_behind(state: &State, job: JobId) -> Vec<String> {
    let last_status = state
        .session
        .tasks
        .last_status
        .as_ref()
        .filter(|last_status| last_status.job == job);
    let answer = match last_status.map(|last_status| &last_status.answer) {
        Some(Some(Ok((id, task)))) => lines(state, id, task),
        Some(Some(Err(error))) => vec![visible(&error.message).into_owned()],
        Some(None) => vec!["reading …".to_owned()],
        None => return Vec::new(),
    };
    [String::new(), "The service says".to_owned()]
        .into_iter()
        .chain(answer)
        .collect()
}

impl OnAnswer for ServiceTaskRead {
    type Question = GetTask;

    fn answered(self, state: &mut State, _: OpId, (id, task): (TaskId, Box<ServiceTask>)) {
        show(state, &id, &task, self.is_again);
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) {
        if self.is_again && error.kind.passes() {
            return;
        }
        state.session.tasks.watched_task = None;
        state.say_failed(
            &format!("The status of task {} could not be read", visible(&self.id)),
            error,
        );
    }
}

impl OnAnswer for TaskIdRead {
    type Question = GetTaskId;

    fn answered(self, state: &mut State, _: OpId, id: Option<TaskId>) {
        if let Some(id) = id {
            return copy::copied(
                state,
                Action::CopyTaskId,
                &[visible(id.as_str()).into_owned()],
            );
        }
        state.say(MessageLevel::Hint, "No task id is known for it.");
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) {
        state.say_failed("The task id could not be read", error);
    }
}

impl OnAnswer for ShownTaskIdRead {
    type Question = GetTaskId;

    fn answered(self, state: &mut State, _: OpId, id: Option<TaskId>) {
        let last_status = state.session.tasks.last_status.as_mut();
        if let Some(known) = last_status.filter(|last_status| last_status.job == self.0) {
            known.id = id;
        }
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) {
        state.say_failed("The task id could not be read", error);
    }
}

impl OnAnswer for JobTaskRead {
    type Question = GetTask;

    fn answered(self, state: &mut State, _: OpId, (id, task): (TaskId, Box<ServiceTask>)) {
        record_status(state, self.0, Ok((id, *task)));
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) {
        record_status(state, self.0, Err(error.clone()));
    }
}
