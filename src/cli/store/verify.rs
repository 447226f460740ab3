//! `filedeck store verify`: reads everything that is stored and says what is wrong with it.

use std::path::PathBuf;

use crate::cli::exit::Exit;
use crate::cli::output::Output;
use crate::cli::row::size;
use crate::cli::talk::say;
use crate::config::Paths;
use crate::service::care;

/// Check every byte of a store, and the database with it
///
/// Reads only, and may run while the store is served. Exits with 1 when something is wrong, and says what on standard
/// output, one line for each file.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Directory of the store [default: the local store of this machine]
    #[arg(long, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
}

/// Prints what is wrong, then how much was read.
pub(super) async fn run(args: Args, paths: &Paths) -> anyhow::Result<Exit> {
    let dir = args.data_dir.unwrap_or_else(|| paths.local_store());
    let found = care::verify(&dir).await?;
    let mut output = Output::default();
    for fault in &found.database {
        output.line(&format!("database: {fault}"))?;
    }
    for file in &found.damaged {
        let deleted = if file.deleted { ", deleted" } else { "" };
        output.line(&format!("{} (id {}{deleted}): {}", file.path, file.id, file.damage))?;
    }
    output.flush()?;
    if found.unnamed_blobs > 0 {
        say(&format!("{} leftovers that no file names; the next start takes them away", found.unnamed_blobs));
    }
    let read = format!("{} files, {}", found.files, size(found.bytes));
    if found.is_sound() {
        say(&format!("{read}: all as they were stored"));
        return Ok(Exit::Ok);
    }
    let faults = found.database.len() + found.damaged.len();
    say(&format!("filedeck: {}: {faults} things are wrong ({read} read); restore them from a backup", dir.display()));
    Ok(Exit::Failed)
}
