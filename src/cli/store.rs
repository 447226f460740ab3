//! `filedeck store`: care for a local store, mostly also while a service runs on it.

mod advice;
mod backup;
mod recover;
mod verify;

use clap::Subcommand;

use super::exit::Exit;
use crate::config::Paths;

/// Care for a local store
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    pub verb: Verb,
}

#[derive(Debug, Subcommand)]
pub enum Verb {
    Verify(verify::Args),
    Backup(backup::Args),
    Recover(recover::Args),
}

/// Does what is asked for.
pub async fn run(args: Args, paths: &Paths) -> anyhow::Result<Exit> {
    match args.verb {
        Verb::Verify(args) => verify::run(args, paths).await,
        Verb::Backup(args) => backup::run(args, paths).await,
        Verb::Recover(args) => recover::run(args, paths).await,
    }
}
