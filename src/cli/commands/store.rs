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

use clap::Subcommand;

use crate::cli::authorities::Authorities;
use crate::cli::exit::Exit;
use crate::cli::local_command::{LocalCommand, LocalContext};
use crate::cli::store_access::StoreAccess;

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
        let access = StoreAccess {
            environment,
            paths,
            ca_cert,
        };
        let done = listener.attend().unless_one_comes(run(self, access)).await;
        done.unwrap_or_else(|signal| Ok(signal.into()))
    }
}

async fn run(args: Args, access: StoreAccess<'_>) -> anyhow::Result<Exit> {
    match args.command {
        StoreCommand::Verify(args) => verify::run(args, access).await,
        StoreCommand::Backup(args) => backup::run(args, access).await,
        #[cfg(any(feature = "postgres", feature = "s3"))]
        StoreCommand::Copy(args) => copy::run(args, access).await,
        StoreCommand::Recover(args) => recover::run(args, access).await,
        StoreCommand::RotateKey(args) => rotate_key::run(args, access).await,
        #[cfg(feature = "s3")]
        StoreCommand::Adopt(args) => adopt::run(args, access).await,
    }
}
