//! `filedeck store rotate-key`: replaces the key of signed addresses.

use crate::cli::exit::Exit;
use crate::cli::stderr::say;
use crate::cli::store_access::StoreAccess;
use crate::cli::store_choice::StoreChoice;
use crate::service::maintenance;

const EXAMPLES: &str = "\
Examples:
  filedeck store rotate-key --data-dir /srv/files
  filedeck store rotate-key --database 'postgres://me@db.test/files'";

/// End all signed links of a store by giving it a new key
///
/// A store in a directory must not be in use. One in a database can be: its processes have the new
/// key within five seconds. Links that are signed afterwards work as before.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    store: StoreChoice,
}

pub(super) async fn run(args: Args, access: StoreAccess<'_>) -> anyhow::Result<Exit> {
    let options = args.store.options(access)?;
    maintenance::rotate_key(&options).await?;
    say("the store has a new key; links that were signed before have ended");
    Ok(Exit::Ok)
}
