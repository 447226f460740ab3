//! `filedeck store verify`: reads everything that is stored, and reports what is wrong with it.

use std::path::{Path, PathBuf};

use super::advice::LOST_ROWS;
use crate::cli::authorities;
use crate::cli::exit::Exit;
use crate::cli::output::{Output, size};
use crate::cli::stderr::say;
use crate::config::{Environment, Paths};
use crate::service::{BucketSettings, maintenance};

const EXAMPLES: &str = "\
Examples:
  filedeck store verify
  filedeck store verify --data-dir /srv/files";

/// Check every byte of a store, and its database
///
/// Changes nothing; the store can be in use. Exits with 5 if something is wrong, with one line for each finding on
/// standard output; with 1 if the store cannot be read.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Directory of the store [default: the local store of this machine]
    #[arg(long, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
}

pub(super) async fn run(
    args: Args,
    environment: &Environment,
    paths: &Paths,
    ca_cert: Option<&Path>,
) -> anyhow::Result<Exit> {
    let dir = args.data_dir.unwrap_or_else(|| paths.local_store());
    let settings = BucketSettings::from_variables(environment.bucket.clone()).trusting(authorities::read(ca_cert)?);
    let found = maintenance::verify_with_bucket(&dir, &settings).await?;
    let mut output = Output::default();
    for fault in &found.database {
        output.line(&format!("database: {fault}"))?;
    }
    for file in &found.damaged {
        let deleted = if file.deleted { ", deleted" } else { "" };
        output.line(&format!("{} (id {}{deleted}): {}", file.path, file.id, file.damage))?;
    }
    for path in &found.without_rows {
        output.line(&format!("{}: the row of this file was lost", path.display()))?;
    }
    for path in &found.doubtful {
        output.line(&format!("{}: an upload that has no row; it may have been answered", path.display()))?;
    }
    for path in &found.irregular {
        output.line(&format!("{}: not a regular file, and no row names it", path.display()))?;
    }
    output.flush()?;
    if found.leftovers > 0 {
        say(&format!("{} leftovers of unfinished uploads; the next start removes them", found.leftovers));
    }
    let read = format!("{} files, {}", found.files, size(found.bytes));
    if found.is_sound() {
        say(&format!("{read}: all as they were stored"));
        return Ok(Exit::Ok);
    }
    say(&format!("filedeck: {}: {} findings ({read} read)", dir.display(), found.findings()));
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
