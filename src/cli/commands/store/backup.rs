//! `filedeck store backup`: makes a copy of a store that can be served.

use std::path::{Path, PathBuf};

use super::advice::LOST_ROWS;
use crate::cli::exit::Exit;
use crate::cli::output::{Output, size};
use crate::cli::stderr::say;
use crate::cli::store_choice::bucket_settings;
use crate::config::{Environment, Paths};
use crate::service::maintenance;

const EXAMPLES: &str = "\
Examples:
  filedeck store backup /backup/files
  filedeck store backup --data-dir /srv/files /backup/files";

/// Copy a store to a new directory; the store can be in use
///
/// To use the copy, name it with 'filedeck serve --data-dir', or put it in place of the store. Tokens are not copied. A
/// backup still contains the files that were permanently deleted after it was made: do not keep one for more than seven
/// days. Exits with 5 if files of the store are damaged, or if rows were lost.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Directory for the copy: a new one, or an empty one
    pub dest: PathBuf,

    /// Directory of the store [default: the local store of this machine]
    #[arg(long, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
}

/// Copies the store, and prints the files that were damaged already, and the blobs whose rows were lost.
pub(super) async fn run(
    args: Args,
    environment: &Environment,
    paths: &Paths,
    ca_cert: Option<&Path>,
) -> anyhow::Result<Exit> {
    let dir = args.data_dir.unwrap_or_else(|| paths.local_store());
    let settings = bucket_settings(environment, ca_cert)?;
    let copied = maintenance::backup_with_bucket(&dir, &settings, &args.dest).await?;
    let mut output = Output::default();
    for path in &copied.damaged {
        output.line(path)?;
    }
    for path in &copied.without_rows {
        output.line(&format!("{}: the row of this file was lost", path.display()))?;
    }
    output.flush()?;
    say(&format!("{} files, {} in {}", copied.files, size(copied.bytes), args.dest.display()));
    if !copied.damaged.is_empty() {
        let count = copied.damaged.len();
        say(&format!("filedeck: {count} files are damaged in the store itself; 'filedeck store verify' says how"));
    }
    if !copied.without_rows.is_empty() {
        let count = copied.without_rows.len();
        say(&format!("filedeck: the rows of {count} files of the store were lost, so the copy does not have them"));
        say(LOST_ROWS);
    }
    let is_whole = copied.damaged.is_empty() && copied.without_rows.is_empty();
    Ok(if is_whole { Exit::Ok } else { Exit::SomeFailed })
}
