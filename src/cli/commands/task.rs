//! `filedeck task`: the state of a task of the service.

use anyhow::Context as _;

use crate::api::ids::TaskId;
use crate::cli::command::RemoteCommand;
use crate::cli::context::CommandContext;
use crate::cli::exit::Exit;
use crate::engine::ops::service_task::by_id;

const EXAMPLES: &str = "\
Examples:
  filedeck task 1b2e
  filedeck task 1b2e --json";

/// Show the status of an import or a folder change
///
/// It need not be one of this machine: the service knows every task by its id.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Id of the task: the tasks on the screen and the errors of imports show it
    #[arg(value_name = "ID", allow_hyphen_values = true, value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub id: String,
}

impl RemoteCommand for Args {
    /// Prints state, times, result and errors.
    async fn run(self, context: &CommandContext) -> anyhow::Result<Exit> {
        let id = TaskId::new(&self.id);
        let task =
            Box::pin(by_id(context.client(), &id)).await.with_context(|| format!("cannot show the task {id}"))?;
        let mut output = context.output();
        if context.format.json {
            output.json(&task)?;
        } else {
            for line in task.lines(Some(&id), |time| time.to_string()) {
                output.line(&line)?;
            }
        }
        output.flush()?;
        Ok(Exit::Ok)
    }
}
