//! `filedeck tasks`: the tasks in the account's journal, and the service's own by their ids.

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
/// Without an id, it lists the tasks of the account in the journal of this machine, the newest
/// first: those of the screen in the last thirty days, and those that commands left unfinished or
/// could not do. With a number of the list, it shows that task and what failed of it; with the id
/// of a task of the service, an import or the change of a folder, it asks the service for its
/// state.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true, subcommand_required = false)]
pub struct Args {
    /// Number of a task, or id of a task of the service: 'import --no-wait' and the errors of
    /// imports name it
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
