//! `filedeck store copy`: copies a store to another directory, database or bucket.

use std::path::PathBuf;

use super::progress::reporter;
use crate::cli::exit::Exit;
use crate::cli::output::{Output, size};
use crate::cli::stderr::say;
use crate::cli::store_access::StoreAccess;
use crate::cli::store_place::StorePlace;
use crate::service::ServiceOptions;
use crate::service::maintenance::{self, StoreSource};

const EXAMPLES: &str = "\
Examples:
  filedeck store copy --from /srv/files /srv/shared --database 'postgres://me@db.test/files' --objects s3://my-bucket/files
  filedeck store copy --from-database 'postgres://me@db.test/files' ./back";

/// Copy a store that is not in use to a directory, a database or a bucket
///
/// The copy is served with the same directory and options. Ids, names, dates and files that are
/// deleted but not erased are the same. Tokens, tasks and the key of signed links are not copied,
/// so such links end. Bytes are checked on their way; if some are not as they were stored, the
/// paths are printed, the exit code is 5, and the copy is not served. If a bucket does not answer,
/// the copy waits for it, for ten minutes at most. Run again, the command continues a copy that was
/// cut short.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Directory of the copy; created if it does not exist
    pub dest: PathBuf,

    /// Directory of the store [default: the built-in store]
    #[arg(long, value_name = "DIR")]
    pub from: Option<PathBuf>,

    /// The rows of the store are in this database of PostgreSQL, and not in the directory
    ///
    /// As with `--database`, the password comes from PGPASSWORD, and the user from PGUSER if the
    /// address has none. If the bytes are in a bucket, the database says in which, and `--from` is
    /// not needed.
    #[cfg(feature = "postgres")]
    #[arg(long, value_name = "postgres://USER@HOST/DATABASE")]
    pub from_database: Option<String>,

    #[command(flatten)]
    pub place: StorePlace,
}

pub(super) async fn run(args: Args, access: StoreAccess<'_>) -> anyhow::Result<Exit> {
    let from = StoreSource {
        dir: access.dir(args.from),
        #[cfg(feature = "postgres")]
        database: access.database("--from-database", args.from_database.as_ref())?,
        settings: access.bucket()?,
    };
    let mut to = ServiceOptions::new(&args.dest);
    args.place.apply(&mut to, access)?;
    let copied = Box::pin(maintenance::copy(&from, &to, &reporter())).await?;
    let mut output = Output::default();
    for path in &copied.damaged {
        output.line(path)?;
    }
    output.flush()?;
    say(&format!("{} files, {}", copied.files, size(copied.bytes)));
    if copied.damaged.is_empty() {
        return Ok(Exit::Ok);
    }
    say(
        "filedeck: these files are damaged in the store itself; put their bytes back, or delete them permanently there. Where all of \
         it is in its directory, 'filedeck store recover --accept ID' takes their bytes as they are",
    );
    Ok(Exit::SomeFailed)
}
