//! `filedeck tasks`: the tasks that the journal of the account has, and the service's own by their ids.

mod forget;
mod list;
mod retry;
mod show;
mod wait;

use clap::Subcommand;

use crate::cli::command::RemoteCommand;
use crate::cli::context::CommandContext;
use crate::cli::exit::Exit;

const EXAMPLES: &str = "\
Examples:
  filedeck tasks
  filedeck tasks 12";

/// List tasks, or show one
///
/// Without an id it lists what the journal of this machine has of the account, the newest first: what was asked for on
/// the screen in the last thirty days, and what commands left unfinished or could not do. A number of the list shows
/// that task with what failed of it; the id of a task of the service, an import or the change of a folder, asks the
/// service for its state.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true, subcommand_required = false)]
pub struct Args {
    /// Number of a task, or id of a task of the service: 'import --no-wait' and the errors of imports name it
    #[arg(value_name = "ID", allow_hyphen_values = true, value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub id: Option<String>,

    #[command(subcommand)]
    pub command: Option<TasksCommand>,
}

#[derive(Debug, Subcommand)]
pub enum TasksCommand {
    Wait(wait::Args),
    Retry(retry::Args),
    Forget(forget::Args),
}

impl RemoteCommand for Args {
    async fn run(self, context: &CommandContext) -> anyhow::Result<Exit> {
        match (self.command, self.id) {
            (Some(TasksCommand::Wait(args)), _) => wait::run(args, context).await,
            (Some(TasksCommand::Retry(args)), _) => retry::run(args, context).await,
            (Some(TasksCommand::Forget(args)), _) => forget::run(args, context).await,
            (None, Some(id)) => show::run(&id, context).await,
            (None, None) => list::run(context).await,
        }
    }
}
