//! `filedeck store`: maintenance of a store, mostly possible while a service runs on it.

#[cfg(feature = "s3")]
mod adopt;
mod advice;
mod backup;
#[cfg(any(feature = "postgres", feature = "s3"))]
mod copy;
mod progress;
mod recover;
mod rotate_key;
mod verify;

use std::path::Path;

use clap::Subcommand;

use crate::cli::authorities::Authorities;
use crate::cli::exit::Exit;
use crate::cli::local_command::{LocalCommand, LocalContext};
use crate::config::{Environment, Paths};

/// Check, copy or recover a store
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub authorities: Authorities,

    #[command(subcommand)]
    pub command: StoreCommand,
}

#[derive(Debug, Subcommand)]
pub enum StoreCommand {
    Verify(verify::Args),
    Backup(backup::Args),
    #[cfg(any(feature = "postgres", feature = "s3"))]
    Copy(copy::Args),
    Recover(recover::Args),
    RotateKey(rotate_key::Args),
    #[cfg(feature = "s3")]
    Adopt(adopt::Args),
}

impl LocalCommand for Args {
    /// Runs the command until it ends or a signal drops it, which leaves the store as it is, and a
    /// backup unusable.
    async fn run(self, context: LocalContext<'_>) -> anyhow::Result<Exit> {
        let LocalContext {
            environment,
            paths,
            ca_cert,
            listener,
            ..
        } = context;
        let done = listener
            .attend()
            .unless_one_comes(run(self, environment, paths, ca_cert))
            .await;
        done.unwrap_or_else(|signal| Ok(signal.into()))
    }
}

async fn run(
    args: Args,
    environment: &Environment,
    paths: &Paths,
    ca_cert: Option<&Path>,
) -> anyhow::Result<Exit> {
    match args.command {
        StoreCommand::Verify(args) => verify::run(args, environment, paths, ca_cert).await,
        StoreCommand::Backup(args) => backup::run(args, environment, paths, ca_cert).await,
        #[cfg(any(feature = "postgres", feature = "s3"))]
        StoreCommand::Copy(args) => copy::run(args, environment, paths, ca_cert).await,
        StoreCommand::Recover(args) => recover::run(args, paths).await,
        StoreCommand::RotateKey(args) => rotate_key::run(args, environment, paths, ca_cert).await,
        #[cfg(feature = "s3")]
        StoreCommand::Adopt(args) => adopt::run(args, environment, paths, ca_cert).await,
    }
}
