//! `filedeck store recover`: a database made anew out of what a store's directory holds.

use std::path::PathBuf;

use crate::cli::exit::Exit;
use crate::cli::output::Output;
use crate::cli::talk::say;
use crate::config::Paths;
use crate::service::care;

/// Make the database of a store anew out of what is there
///
/// For a store that lost its database, or got an older one: every file comes back. Names, folders, access and dates
/// are those of the rows that are left, and of the database that --from names, be it an older one or the copy that
/// a service rescued; where both have a row, the one that came farther counts, and what either knows to be deleted
/// is deleted. A file without a row is named by its bytes' id, in the root, and private. Nothing is destroyed: the
/// former database stays in the directory under another name; remove it once nothing is missing, because what is
/// deleted permanently later is still in it. Imports and folder updates that were under way are not carried on. No
/// filedeck may be using the store meanwhile.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Directory of the store [default: the local store of this machine]
    #[arg(long, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,

    /// Another database to take rows from: an older one, or the copy that a service rescued
    #[arg(long, value_name = "OTHER.db")]
    pub from: Option<PathBuf>,
}

/// Says what came back, and names on standard output the files whose bytes are not those that were stored, or
/// cannot be read.
pub(super) async fn run(args: Args, paths: &Paths) -> anyhow::Result<Exit> {
    let dir = args.data_dir.unwrap_or_else(|| paths.local_store());
    let recovered = care::recover(&dir, args.from.as_deref()).await?;
    let mut output = Output::default();
    for path in &recovered.changed {
        output.line(path)?;
    }
    output.flush()?;
    for fault in &recovered.faults {
        say(&format!("filedeck: not everything is as it was: {fault}"));
    }
    for path in &recovered.without_bytes {
        say(&format!("filedeck: it has a row and no bytes, and was not brought back: {path}"));
    }
    let (files, named) = (recovered.files, recovered.named);
    say(&format!(
        "{files} files brought back, {named} with their names, {} named by their bytes; {} rows have no bytes",
        files - named,
        recovered.without_bytes.len()
    ));
    if let Some(former) = &recovered.former {
        say(&format!("the former database is kept as {}", former.display()));
    }
    if recovered.changed.is_empty() {
        return Ok(Exit::Ok);
    }
    let count = recovered.changed.len();
    say(&format!("filedeck: the bytes of {count} files are not those that were stored; restore them from a backup"));
    Ok(Exit::SomeFailed)
}
