//! `filedeck tasks ID`: the state of a task, from the journal by its number or from the service by
//! its id.

use anyhow::Context as _;

use super::list;
use crate::api::Error;
use crate::api::ids::TaskId;
use crate::cli::context::CommandContext;
use crate::cli::exit::Exit;
use crate::cli::output::{Output, OutputError};
use crate::engine::journal::RecordedBatch;
use crate::engine::ops::service_task::by_id;
use crate::engine::service_task::ServiceTask;

const MOST_FAILURES: u32 = 100;

pub(super) async fn run(id: &str, context: &CommandContext) -> anyhow::Result<Exit> {
    if let Some(batch) = listed(id, context).await.context("cannot list the tasks")? {
        let mut output = context.output();
        list::print(&mut output, context, std::slice::from_ref(&batch))?;
        if !context.format.json {
            let why = "cannot list what failed";
            let journal = context.session.journal().await.context(why)?;
            let failures = journal.failures(batch.id, MOST_FAILURES).await;
            for (what, error) in failures.context(why)? {
                output.line(&format!("{what}: {}", error.message))?;
            }
        }
        output.flush()?;
        return Ok(Exit::Ok);
    }
    let id = TaskId::new(id);
    let task = Box::pin(by_id(context.client(), &id))
        .await
        .with_context(|| format!("cannot show the task {id}"))?;
    print(&mut context.output(), &id, &task, context.format.json)?;
    Ok(Exit::Ok)
}

/// Returns the task of the journal with this number, if any.
pub(super) async fn listed(
    id: &str,
    context: &CommandContext,
) -> Result<Option<RecordedBatch>, Error> {
    let Ok(number) = id.parse::<i64>() else {
        return Ok(None);
    };
    let batches = list::batches(context).await?;
    Ok(batches.into_iter().find(|batch| batch.id.0 == number))
}

/// Prints the service's response as JSON, or a line for each fact.
pub(super) fn print(
    output: &mut Output,
    id: &TaskId,
    task: &ServiceTask,
    json: bool,
) -> Result<(), OutputError> {
    if json {
        output.json(task)?;
    } else {
        task.lines(Some(id), |time| time.to_string())
            .iter()
            .try_for_each(|line| output.line(line))?;
    }
    output.flush()
}
