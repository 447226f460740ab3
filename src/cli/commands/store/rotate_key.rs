//! `filedeck store rotate-key`: replaces the key of signed addresses.

use std::path::{Path, PathBuf};

use crate::cli::exit::Exit;
use crate::cli::stderr::say;
#[cfg(feature = "postgres")]
use crate::cli::store_place::database_address;
use crate::config::{Environment, Paths};
use crate::service::{ServiceOptions, maintenance};

const EXAMPLES: &str = "\
Examples:
  filedeck store rotate-key --data-dir /srv/files
  filedeck store rotate-key --database 'postgres://me@db.test/files'";

/// End all signed links of a store by giving it a new key
///
/// A store in a directory must not be in use. One in a database can be: its processes have the new key within five
/// seconds. Links that are signed afterwards work as before.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Directory of the store [default: the local store of this machine]
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
    #[cfg_attr(not(feature = "postgres"), expect(unused_variables, reason = "only a database needs it"))]
    environment: &Environment,
    paths: &Paths,
    #[cfg_attr(not(feature = "postgres"), expect(unused_variables, reason = "only a database needs it"))]
    ca_cert: Option<&Path>,
) -> anyhow::Result<Exit> {
    let dir = args.data_dir.unwrap_or_else(|| paths.local_store());
    #[cfg_attr(not(feature = "postgres"), expect(unused_mut, reason = "there is no other place"))]
    let mut options = ServiceOptions::new(dir);
    #[cfg(feature = "postgres")]
    {
        options.database = database_address("--database", args.database.as_deref(), environment, ca_cert)?;
    }
    maintenance::rotate_key(&options).await?;
    say("the store has a new key; links that were signed before have ended");
    Ok(Exit::Ok)
}
