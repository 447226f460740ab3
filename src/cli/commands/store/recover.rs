//! `filedeck store recover`: rebuilds a database from the content of a store's directory.

use std::path::PathBuf;

use crate::cli::exit::Exit;
use crate::cli::output::Output;
use crate::cli::stderr::say;
use crate::cli::store_access::StoreAccess;
use crate::service::maintenance;

const EXAMPLES: &str = "\
Examples:
  filedeck store recover
  filedeck store recover --data-dir /srv/files";

/// Rebuild the database of a store
///
/// Use this for a store that lost its database, or that has an older one. Every file comes back.
/// Names, folders, access and dates come from the rows that are left, and from the database that
/// --from names: an older one, or the copy that a running service saved. If both have a row, the
/// newer one counts; what one of them knows to be deleted is deleted.
///
/// A file without a row is private, in the root folder, and named after the id of its bytes; its
/// own id is one that was never given before. Nothing is destroyed: the former database stays in
/// the directory under another name. Remove it once nothing is missing, because it still contains
/// what you delete permanently later. Imports and folder updates that had begun do not continue.
///
/// A file whose bytes have changed keeps its checksums and cannot be read until --accept takes the
/// bytes as they are. No filedeck may use the store meanwhile. Exits with 5 if not everything came
/// back as it was stored.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Directory of the store [default: the built-in store]
    #[arg(long, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,

    /// Another database to take rows from: an older one, or the copy that a running service saved
    #[arg(long, value_name = "OTHER.db")]
    pub from: Option<PathBuf>,

    /// Take the damaged bytes of the file with this id as they are
    #[arg(long, value_name = "ID")]
    pub accept: Vec<i64>,
}

/// Reports what came back, and prints on standard output what did not come back as it was stored.
pub(super) async fn run(args: Args, access: StoreAccess<'_>) -> anyhow::Result<Exit> {
    let dir = access.dir(args.data_dir);
    let recovered = maintenance::recover(&dir, args.from.as_deref(), &args.accept).await?;
    let mut output = Output::default();
    for (files, why) in [
        (&recovered.nameless, "its name and its id are lost"),
        (
            &recovered.damaged,
            "its bytes are not those that were stored",
        ),
    ] {
        for file in files {
            output.line(&format!("{} (id {}): {why}", file.path, file.id))?;
        }
    }
    for path in &recovered.without_bytes {
        output.line(&format!(
            "{path}: its bytes are missing; it was not brought back"
        ))?;
    }
    for blob in &recovered.unanswered {
        output.line(&format!(
            "{blob}: no row names this upload; it may have been answered"
        ))?;
    }
    output.flush()?;
    for fault in &recovered.faults {
        say(&format!("filedeck: not everything was recovered: {fault}"));
    }
    let (files, named) = (recovered.files, recovered.named);
    say(&format!(
        "{files} files brought back, {named} with their names, {} named by their bytes; {} rows have no bytes",
        files - named,
        recovered.without_bytes.len()
    ));
    for file in &recovered.accepted {
        say(&format!(
            "the bytes of {} (id {}) were taken as they are",
            file.path, file.id
        ));
    }
    if let Some(former) = &recovered.former {
        say(&format!("the old database is kept as {}", former.display()));
    }
    if !recovered.unanswered.is_empty() {
        say(&format!(
            "filedeck: {} uploads without a row were moved to {}; they are removed a day after the next start. Copy what you need",
            recovered.unanswered.len(),
            dir.join("aside").display()
        ));
    }
    if !recovered.damaged.is_empty() {
        say(&format!(
            "filedeck: {} files have damaged bytes and cannot be read; restore them from a backup, or run this again with --accept ID to accept their bytes as they are",
            recovered.damaged.len()
        ));
    }
    if !recovered.without_bytes.is_empty() {
        say("filedeck: files without bytes are lost here; restore them from a backup");
    }
    Ok(if recovered.is_complete() {
        Exit::Ok
    } else {
        Exit::SomeFailed
    })
}
