//! `filedeck store verify`: reads everything that is stored, and reports what is wrong with it.

use super::advice::LOST_ROWS;
use crate::cli::exit::Exit;
use crate::cli::output::{Output, size};
use crate::cli::stderr::say;
use crate::cli::store_access::StoreAccess;
use crate::cli::store_choice::ServedStore;
use crate::service::maintenance;

const EXAMPLES: &str = "\
Examples:
  filedeck store verify --data-dir /srv/files
  filedeck store verify --database 'postgres://me@db.test/files'";

/// Check every byte of a store, and its database
///
/// Changes nothing; the store can be in use. Exits with 5 if something is wrong, with one line for
/// each finding on standard output; with 1 if the store cannot be read. Bytes in a bucket are all
/// transferred over the network; objects there that no row names are listed, too, but are no
/// findings, since earlier versions let stores share a bucket.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    pub store: ServedStore,
}

pub(super) async fn run(args: Args, access: StoreAccess<'_>) -> anyhow::Result<Exit> {
    let source = args.store.source(access)?;
    let found = Box::pin(maintenance::verify(&source)).await?;
    let mut output = Output::default();
    for fault in &found.database {
        output.line(&format!("database: {fault}"))?;
    }
    for file in &found.damaged {
        let deleted = if file.deleted { ", deleted" } else { "" };
        output.line(&format!(
            "{} (id {}{deleted}): {}",
            file.path, file.id, file.damage
        ))?;
    }
    for (paths, why) in [
        (&found.without_rows, "the row of this file was lost"),
        (
            &found.doubtful,
            "an upload that has no row; it may have been answered",
        ),
        (&found.irregular, "not a regular file, and no row names it"),
    ] {
        for path in paths {
            output.line(&format!("{}: {why}", path.display()))?;
        }
    }
    for object in &found.unknown_objects {
        output.line(&format!("{object}: no row of this store names this object"))?;
    }
    output.flush()?;
    if !found.unknown_objects.is_empty() {
        let count = found.unknown_objects.len();
        say(&format!(
            "{count} objects that no row names: leave them if another store uses the same bucket and prefix"
        ));
    }
    if let Some(reason) = &found.unlisted {
        say(&format!(
            "bytes that no row names are not searched for, since they cannot be listed: {reason}"
        ));
    }
    if found.leftovers > 0 {
        say(&format!(
            "{} leftovers of unfinished uploads; the next start removes them",
            found.leftovers
        ));
    }
    let read = format!("{} files, {}", found.files, size(found.bytes));
    if found.is_sound() {
        say(&format!("{read}: all as they were stored"));
        return Ok(Exit::Ok);
    }
    say(&format!(
        "filedeck: {}: {} findings ({read} read)",
        source.name(),
        found.findings()
    ));
    #[cfg(feature = "postgres")]
    if source.database.is_some() {
        say(
            "restore damaged bytes from a backup or the versions of the bucket, and lost rows from a backup of the database",
        );
        return Ok(Exit::SomeFailed);
    }
    if !found.without_rows.is_empty() {
        say(LOST_ROWS);
    }
    if !found.damaged.is_empty() {
        say(
            "restore damaged files from a backup, or run 'filedeck store recover --accept ID' to accept their bytes as they are",
        );
    }
    if found.doubtful.len() + found.irregular.len() > 0 {
        say("'filedeck store recover' moves aside files that have no row");
    }
    Ok(Exit::SomeFailed)
}
