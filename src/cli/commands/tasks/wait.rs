//! `filedeck tasks wait`: waits until tasks of the journal or of the service have ended.

use std::time::Duration;

use futures::StreamExt as _;
use futures::stream;

use super::list;
use super::show::{listed, print};
use crate::api::ids::TaskId;
use crate::api::model::TaskStatus;
use crate::api::{Error, Kind};
use crate::cli::context::CommandContext;
use crate::cli::exit::Exit;
use crate::engine::journal::RecordedBatch;
use crate::engine::ops::service_task::until_final;
use crate::engine::service_task::ServiceTask;

const EXAMPLES: &str = "\
Examples:
  filedeck tasks wait 12
  filedeck tasks wait 1b2e7c40 9f0a11d3 --quiet";

/// Wait until tasks have ended
///
/// Takes numbers as 'filedeck tasks' lists them, of tasks that another filedeck works on, and ids
/// of tasks of the service. Prints each as it ends. Exits with 1 if the only one ended without a
/// result, with 5 if some of several did.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Numbers of tasks, or ids of tasks of the service; those that begin with a hyphen come after
    /// '--'
    #[arg(required = true, value_name = "ID")]
    pub ids: Vec<String>,
}

enum EndedTask {
    Listed(Box<RecordedBatch>),
    OfService(ServiceTask),
}

/// The interval between reads of the journal.
const LOOK: Duration = Duration::from_millis(250);

/// Waits for a task of the journal; `None` if it has no such number.
async fn until_settled(
    id: &str,
    context: &CommandContext,
) -> Result<Option<Box<RecordedBatch>>, Error> {
    loop {
        match listed(id, context).await? {
            Some(batch) if batch.is_live() => tokio::time::sleep(LOOK).await,
            batch => return Ok(batch.map(Box::new)),
        }
    }
}

/// The most tasks of which the state is read at once.
const AT_ONCE: usize = 8;

pub(super) async fn run(args: Args, context: &CommandContext) -> anyhow::Result<Exit> {
    let (mut output, mut tally) = (context.output(), context.tally(args.ids.len()));
    let waits = args.ids.iter().map(TaskId::new).map(async |id| {
        let ended = match Box::pin(until_settled(id.as_str(), context)).await {
            Ok(Some(batch)) => Ok(EndedTask::Listed(batch)),
            Ok(None) => Box::pin(until_final(context.client(), &id))
                .await
                .map(EndedTask::OfService),
            Err(error) => Err(error),
        };
        (id, ended)
    });
    let mut ended = std::pin::pin!(stream::iter(waits).buffer_unordered(AT_ONCE));
    while let Some((id, ended)) = ended.next().await {
        match ended {
            Ok(EndedTask::Listed(batch)) => {
                list::print(&mut output, context, std::slice::from_ref(&batch))?;
                output.flush()?;
                match list::state(&batch) {
                    "done" => tally.done(),
                    state => {
                        let next = batch.can_retry().then(|| context.retry_command(batch.id));
                        let next = next.map(|next| format!("; '{next}' does what is left"));
                        let why = format!("it is {state}{}", next.unwrap_or_default());
                        tally.failed(&format!("task {id}"), &Error::new(Kind::TaskFailed, why));
                    }
                }
            }
            Ok(EndedTask::OfService(task)) => {
                print(&mut output, &id, &task, context.format.json)?;
                if *task.status() == TaskStatus::Complete {
                    tally.done();
                } else {
                    let why = task.errors().1.join("; ");
                    let why = if why.is_empty() {
                        "it was canceled by the service".to_owned()
                    } else {
                        why
                    };
                    tally.failed(&format!("task {id}"), &Error::new(Kind::TaskFailed, why));
                }
            }
            Err(error) => {
                if tally.failed(&format!("cannot wait for the task {id}"), &error) {
                    break;
                }
            }
        }
    }
    Ok(tally.finish())
}
