//! `filedeck tasks ID`: the state of a task of the service.

use anyhow::Context as _;

use crate::api::ids::TaskId;
use crate::cli::context::CommandContext;
use crate::cli::exit::Exit;
use crate::cli::output::{Output, OutputError};
use crate::engine::ops::service_task::by_id;
use crate::engine::service_task::ServiceTask;

/// Prints state, times, result and errors.
pub(super) async fn run(id: &str, context: &CommandContext) -> anyhow::Result<Exit> {
    let id = TaskId::new(id);
    let task = Box::pin(by_id(context.client(), &id)).await.with_context(|| format!("cannot show the task {id}"))?;
    print(&mut context.output(), &id, &task, context.format.json)?;
    Ok(Exit::Ok)
}

/// As JSON what the service said, else a line for each fact.
pub(super) fn print(output: &mut Output, id: &TaskId, task: &ServiceTask, json: bool) -> Result<(), OutputError> {
    if json {
        output.json(task)?;
    } else {
        task.lines(Some(id), |time| time.to_string()).iter().try_for_each(|line| output.line(line))?;
    }
    output.flush()
}
