//! Reads this machine's disk: folders to choose from and to complete paths with, and lists of URLs.

use std::path::{Path, PathBuf};

use super::perform::{OpContext, Perform};
use crate::api::{Error, Kind, sendable};
use crate::engine::local_entry::LocalEntry;
use crate::engine::question::{CheckLocalFile, ListLocalFolder, ReadAddresses};
use crate::regular_file::{self, Links};

/// The most bytes in a list of URLs.
const MOST_BYTES: u64 = 1 << 20;

/// Returns the entries sorted by name.
fn entries(folder: &Path) -> std::io::Result<Vec<LocalEntry>> {
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        // Follows links: a link to a folder counts as a folder.
        let facts = std::fs::metadata(entry.path()).ok();
        let is_folder = facts.as_ref().is_some_and(std::fs::Metadata::is_dir);
        let changed = facts.as_ref().and_then(|facts| facts.modified().ok());
        entries.push(LocalEntry {
            name: entry.file_name(),
            is_folder,
            size: facts.filter(|_| !is_folder).map(|facts| facts.len()),
            updated_at: changed.and_then(|time| time.try_into().ok()),
        });
    }
    entries.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(entries)
}

fn addresses(path: &Path) -> std::io::Result<Vec<String>> {
    let text = String::from_utf8(regular_file::read(path, Links::Followed, MOST_BYTES)?);
    let text = text.map_err(|_| std::io::Error::other("it is not UTF-8 text"))?;
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    Ok(lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(str::to_owned)
        .collect())
}

/// Reads the disk on another thread, so that the answers to other questions need not wait.
async fn blocking<T: Send + 'static>(
    what: &str,
    path: PathBuf,
    read: fn(&Path) -> std::io::Result<T>,
) -> Result<T, Error> {
    let what = format!("Cannot {what} {}", path.display());
    match tokio::task::spawn_blocking(move || read(&path)).await {
        Ok(read) => read.map_err(|error| Error::local(&what, &error)),
        Err(_) => Err(Error::new(Kind::Internal, what)),
    }
}

impl Perform for ListLocalFolder {
    async fn perform(self, _: &OpContext) -> Result<Vec<LocalEntry>, Error> {
        blocking("list", self.folder, entries).await
    }
}

impl Perform for ReadAddresses {
    async fn perform(self, _: &OpContext) -> Result<Vec<String>, Error> {
        blocking("read", self.path, addresses).await
    }
}

impl Perform for CheckLocalFile {
    async fn perform(self, _: &OpContext) -> Result<(), Error> {
        sendable(&self.path, Links::Followed).await.map(drop)
    }
}
