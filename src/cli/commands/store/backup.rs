//! `filedeck store backup`: makes a copy of a store that can be served.

use std::path::PathBuf;

use super::advice::LOST_ROWS;
use super::progress::reporter;
use crate::cli::exit::Exit;
use crate::cli::output::{Output, size};
use crate::cli::stderr::say;
use crate::cli::store_access::StoreAccess;
use crate::cli::store_choice::ServedStore;
use crate::service::maintenance;

const EXAMPLES: &str = "\
Examples:
  filedeck store backup /backup/files
  filedeck store backup --database 'postgres://me@db.test/files' /backup/files";

/// Copy a store to a new directory; the store can be in use
///
/// All rows and bytes are in the directory of the copy, wherever the store has them. To use it,
/// name it with 'filedeck serve --data-dir', put it in place of the store, or copy it back with
/// 'filedeck store copy'. Tokens are not copied, and of a store with a database no tasks. If a
/// bucket does not answer, the backup waits for it, for ten minutes at most. A backup still
/// contains the files that were permanently deleted after it was made: do not keep one for more
/// than seven days. Exits with 5 if files of the store are damaged, or if rows were lost.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Directory for the copy: a new one, or an empty one
    pub dest: PathBuf,

    #[command(flatten)]
    pub store: ServedStore,
}

/// Copies the store, and prints the files that were damaged already, and the blobs whose rows were
/// lost.
pub(super) async fn run(args: Args, access: StoreAccess<'_>) -> anyhow::Result<Exit> {
    let source = args.store.source(access)?;
    let copied = Box::pin(maintenance::backup(&source, &args.dest, &reporter())).await?;
    let mut output = Output::default();
    for path in &copied.damaged {
        output.line(path)?;
    }
    for path in &copied.without_rows {
        output.line(&format!(
            "{}: the row of this file was lost",
            path.display()
        ))?;
    }
    output.flush()?;
    say(&format!(
        "{} files, {} in {}",
        copied.files,
        size(copied.bytes),
        args.dest.display()
    ));
    if !copied.damaged.is_empty() {
        let count = copied.damaged.len();
        say(&format!(
            "filedeck: {count} files are damaged in the store itself; 'filedeck store verify' says how"
        ));
    }
    if !copied.without_rows.is_empty() {
        let count = copied.without_rows.len();
        say(&format!(
            "filedeck: the rows of {count} files of the store were lost, so the copy does not have them"
        ));
        say(LOST_ROWS);
    }
    let is_whole = copied.damaged.is_empty() && copied.without_rows.is_empty();
    Ok(if is_whole { Exit::Ok } else { Exit::SomeFailed })
}
