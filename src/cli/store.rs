//! `filedeck store`: care for a local store, mostly also while a service runs on it.

mod advice;
mod backup;
mod recover;
mod verify;

use clap::Subcommand;

use super::exit::Exit;
use crate::config::Paths;

/// Check, copy or recover a local store
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    pub command: StoreCommand,
}

#[derive(Debug, Subcommand)]
pub enum StoreCommand {
    Verify(verify::Args),
    Backup(backup::Args),
    Recover(recover::Args),
}

/// Does what is asked for.
pub async fn run(args: Args, paths: &Paths) -> anyhow::Result<Exit> {
    match args.command {
        StoreCommand::Verify(args) => verify::run(args, paths).await,
        StoreCommand::Backup(args) => backup::run(args, paths).await,
        StoreCommand::Recover(args) => recover::run(args, paths).await,
    }
}
