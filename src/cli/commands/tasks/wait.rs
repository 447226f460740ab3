//! `filedeck tasks wait`: until tasks of the service have ended.

use futures::StreamExt as _;
use futures::stream;

use super::show::print;
use crate::api::ids::TaskId;
use crate::api::model::TaskStatus;
use crate::api::{Error, Kind};
use crate::cli::context::CommandContext;
use crate::cli::exit::Exit;
use crate::cli::tally::RunTally;
use crate::engine::ops::service_task::until_final;

const EXAMPLES: &str = "\
Examples:
  filedeck tasks wait 1b2e7c40
  filedeck tasks wait 1b2e7c40 9f0a11d3 --quiet";

/// Wait until tasks of the service have ended
///
/// Prints each as it ends. Exits with 1 if the only one ended without a result, with 5 if some of several did.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Ids of tasks of the service
    #[arg(required = true, value_name = "ID")]
    pub ids: Vec<String>,
}

/// So many are asked about at once.
const AT_ONCE: usize = 8;

pub(super) async fn run(args: Args, context: &CommandContext) -> anyhow::Result<Exit> {
    let (mut output, mut tally) = (context.output(), RunTally::new(context.format, args.ids.len()));
    let waits = args.ids.iter().map(TaskId::new).map(async |id| {
        let ended = Box::pin(until_final(context.client(), &id)).await;
        (id, ended)
    });
    let mut ended = std::pin::pin!(stream::iter(waits).buffer_unordered(AT_ONCE));
    while let Some((id, ended)) = ended.next().await {
        match ended {
            Ok(task) => {
                print(&mut output, &id, &task, context.format.json)?;
                if *task.status() == TaskStatus::Complete {
                    tally.done();
                } else {
                    let why = task.errors().1.join("; ");
                    let why = if why.is_empty() { "it was canceled by the service".to_owned() } else { why };
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
