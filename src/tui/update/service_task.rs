//! Tasks of the service: looked up by an id that was typed, or behind a job that is not watched anymore.

use crate::api::Error;
use crate::api::ids::TaskId;
use crate::api::text::visible;
use crate::engine::OpId;
use crate::engine::batch::JobId;
use crate::engine::question::GetTask;
use crate::engine::service_task::{ServiceTask, Which};
use crate::tui::dialog::{Dialog, Notice, Prompt};
use crate::tui::message::Effect;
use crate::tui::state::{JobTaskRead, LastStatus, MessageLevel, ServiceTaskRead, State};
use crate::tui::update::ask::{OnAnswer, ask};
use crate::tui::widget::figures;

/// Asks for an id.
pub(super) fn prompt(state: &mut State) {
    state.dialogs.push(Dialog::Prompt(Prompt::service_task()));
}

/// Asks the service about a task by its id.
pub(super) fn look(state: &mut State, id: String) -> Effect {
    let which = Which::Id(TaskId::new(&id));
    ask(state, ServiceTaskRead(id), GetTask(which))
}

/// Asks the service about the task behind a job whose details are open, once.
pub(super) fn look_behind(state: &mut State, job: JobId) -> Option<Effect> {
    if state.current.tasks.last_status.as_ref().is_some_and(|last_status| last_status.job == job) {
        return None;
    }
    state.current.tasks.last_status = Some(LastStatus { job, answer: None });
    Some(ask(state, JobTaskRead(job), GetTask(Which::Of(job))))
}

/// The service's answer about the task behind a job, or its error.
fn record_status(state: &mut State, job: JobId, answer: Result<(TaskId, ServiceTask), Error>) {
    if let Some(last_status) = state.current.tasks.last_status.as_mut().filter(|last_status| last_status.job == job) {
        last_status.answer = Some(answer);
    }
}

/// Shows what the service has told, unless somebody types at something else now.
fn show(state: &mut State, id: &TaskId, task: &ServiceTask) {
    let (title, lines) = (format!("{} {id}", task.noun()), lines(state, id, task));
    if state.dialogs.is_empty() && !state.is_typing() {
        let mut notice = Notice::new(visible(&title), lines);
        notice.copy = Some(notice.lines.join("\n"));
        state.dialogs.push(Dialog::Notice(notice));
    } else {
        state.say(
            MessageLevel::Info,
            format!("{}: {}", visible(&title), visible(task.status().as_str()).to_lowercase()),
        );
    }
}

/// Its state, a line for each thing; safe to show.
fn lines(state: &State, id: &TaskId, task: &ServiceTask) -> Vec<String> {
    let time = |time| format!("{} {}", figures::date(time, &state.zone), figures::time_of_day(time, &state.zone));
    task.lines(Some(id), time).iter().map(|line| visible(line).into_owned()).collect()
}

/// What the service says of the task behind a job, for its details.
pub(super) fn lines_behind(state: &State, job: JobId) -> Vec<String> {
    let last_status = state.current.tasks.last_status.as_ref().filter(|last_status| last_status.job == job);
    let said = match last_status.map(|last_status| &last_status.answer) {
        Some(Some(Ok((id, task)))) => lines(state, id, task),
        Some(Some(Err(error))) => vec![visible(&error.message).into_owned()],
        Some(None) => vec!["reading …".to_owned()],
        None => return Vec::new(),
    };
    [String::new(), "The service says".to_owned()].into_iter().chain(said).collect()
}

impl OnAnswer for ServiceTaskRead {
    fn answered(self, state: &mut State, _: OpId, (id, task): (TaskId, Box<ServiceTask>)) -> Vec<Effect> {
        show(state, &id, &task);
        Vec::new()
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) -> Vec<Effect> {
        state.say_failed(&format!("The status of task {} could not be read", visible(&self.0)), error);
        Vec::new()
    }
}

impl OnAnswer for JobTaskRead {
    fn answered(self, state: &mut State, _: OpId, (id, task): (TaskId, Box<ServiceTask>)) -> Vec<Effect> {
        record_status(state, self.0, Ok((id, *task)));
        Vec::new()
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) -> Vec<Effect> {
        record_status(state, self.0, Err(error.clone()));
        Vec::new()
    }
}
