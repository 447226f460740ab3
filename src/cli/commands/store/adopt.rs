//! `filedeck store adopt`: makes a store the owner of its bucket.

use std::path::{Path, PathBuf};

use crate::cli::authorities;
use crate::cli::exit::Exit;
use crate::cli::stderr::say;
#[cfg(feature = "postgres")]
use crate::cli::store_place::database_address;
use crate::config::{Environment, Paths};
use crate::service::{BucketSettings, ServiceOptions, maintenance};

const EXAMPLES: &str = "\
Examples:
  filedeck store adopt --data-dir /srv/files
  filedeck store adopt --database 'postgres://me@db.test/restored'";

/// Make a copied or restored store the owner of the bucket that has its bytes
///
/// A bucket belongs to one store, and a copy of that store is refused, because it would remove bytes that the other
/// needs. If the copy takes the place of the other store, stop that one and use this command. Should it still run, it
/// adds and removes nothing in the bucket from then on. The environment says how to reach the bucket, as for `serve`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Directory of the store, which must not be in use [default: the local store of this machine]
    #[arg(long, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,

    /// The rows of the store are in this database of PostgreSQL, and not in the directory
    ///
    /// The password comes from PGPASSWORD, and the user from PGUSER if the address has none.
    #[cfg(feature = "postgres")]
    #[arg(long, value_name = "postgres://USER@HOST/DATABASE", conflicts_with = "data_dir")]
    pub database: Option<String>,
}

pub(super) async fn run(
    args: Args,
    environment: &Environment,
    paths: &Paths,
    ca_cert: Option<&Path>,
) -> anyhow::Result<Exit> {
    let settings = BucketSettings::from_variables(environment.bucket.clone()).trusting(authorities::read(ca_cert)?);
    let dir = args.data_dir.unwrap_or_else(|| paths.local_store());
    #[cfg_attr(not(feature = "postgres"), expect(unused_mut, reason = "there is no other place"))]
    let mut options = ServiceOptions::new(dir);
    #[cfg(feature = "postgres")]
    {
        options.database = database_address("--database", args.database.as_deref(), environment, ca_cert)?;
    }
    let adopted = maintenance::adopt(&options, &settings).await?;
    let bucket = adopted.bucket;
    if adopted.is_changed {
        say(&format!("the bucket {bucket} belongs to this store now; any other store adds and removes nothing there"));
    } else {
        say(&format!("the bucket {bucket} belongs to this store already"));
    }
    Ok(Exit::Ok)
}
