//! `filedeck account`: the configured accounts, as the screen's dialog shows them.

mod add;
mod find;
mod list;
mod remove;
mod show;
mod test;
mod use_account;

use clap::Subcommand;

use crate::cli::exit::Exit;
use crate::cli::format::Format;
use crate::cli::local_command::{LocalCommand, LocalContext};

/// Add, list, choose, test and remove accounts
///
/// The same accounts as on the screen. A token is typed without being shown, or comes from standard
/// input; it is never an argument, and never printed.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    pub command: AccountCommand,
}

#[derive(Debug, Subcommand)]
pub enum AccountCommand {
    Add(add::Args),
    List(list::Args),
    Show(show::Args),
    Use(use_account::Args),
    Test(test::Args),
    Remove(remove::Args),
}

impl LocalCommand for Args {
    fn format(&self) -> Format {
        match &self.command {
            AccountCommand::List(args) => args.format,
            AccountCommand::Show(args) => args.format,
            AccountCommand::Add(_)
            | AccountCommand::Use(_)
            | AccountCommand::Test(_)
            | AccountCommand::Remove(_) => Format::default(),
        }
    }

    /// Runs the command until it ends or a signal drops it.
    async fn run(self, context: LocalContext<'_>) -> anyhow::Result<Exit> {
        let LocalContext {
            setup, listener, ..
        } = context;
        let run = async {
            match self.command {
                AccountCommand::Add(args) => add::run(args, setup).await,
                AccountCommand::List(args) => list::run(&args, setup),
                AccountCommand::Show(args) => show::run(&args, setup),
                AccountCommand::Use(args) => use_account::run(&args, setup),
                AccountCommand::Test(args) => test::run(args, setup).await,
                AccountCommand::Remove(args) => remove::run(args, setup).await,
            }
        };
        listener
            .attend()
            .unless_one_comes(Box::pin(run))
            .await
            .unwrap_or_else(|signal| Ok(signal.into()))
    }
}
