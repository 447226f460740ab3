//! `filedeck store adopt`: makes a store the owner of its bucket.

use crate::cli::exit::Exit;
use crate::cli::stderr::say;
use crate::cli::store_access::StoreAccess;
use crate::cli::store_choice::StoreChoice;
use crate::service::maintenance;

const EXAMPLES: &str = "\
Examples:
  filedeck store adopt --data-dir /srv/files
  filedeck store adopt --database 'postgres://me@db.test/restored'";

/// Make a copied or restored store the owner of the bucket that has its bytes
///
/// A bucket belongs to one store, and a copy of that store is refused, because it would remove
/// bytes that the other needs. If the copy takes the place of the other store, stop that one and
/// use this command. Should it still run, it adds and removes nothing in the bucket from then on.
/// The environment says how to reach the bucket, as for `serve`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    store: StoreChoice,
}

pub(super) async fn run(args: Args, access: StoreAccess<'_>) -> anyhow::Result<Exit> {
    let settings = access.bucket()?;
    let options = args.store.options(access)?;
    let adopted = maintenance::adopt(&options, &settings).await?;
    let bucket = adopted.bucket;
    if adopted.is_changed {
        say(&format!(
            "the bucket {bucket} belongs to this store now; any other store adds and removes nothing there"
        ));
    } else {
        say(&format!(
            "the bucket {bucket} belongs to this store already"
        ));
    }
    Ok(Exit::Ok)
}
