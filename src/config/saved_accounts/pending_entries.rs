//! Notes of entries of the keyring that are on their way in or out, an empty file for each: what breaks off in between
//! leaves an entry that no account names, and the note names it.

use std::fs;
use std::io;
use std::path::PathBuf;

use crate::config::paths::create_private_dir;
use crate::regular_file;

/// Where they are.
#[derive(Debug, Clone)]
pub(super) struct Notes(PathBuf);

/// Behind the name of the entry.
const ENDING: &str = ".entry";

impl Notes {
    /// Those in the folder `dir`.
    pub(super) fn new(dir: PathBuf) -> Self {
        Self(dir)
    }

    /// Notes an entry.
    pub(super) fn add(&self, entry: &str) -> io::Result<()> {
        create_private_dir(&self.0)?;
        regular_file::open_own(&self.path(entry))?.sync_all()
    }

    /// Nothing is left to do about an entry. A note that stays is looked at again.
    pub(super) fn remove(&self, entry: &str) {
        match fs::remove_file(self.path(entry)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                tracing::warn!(%error, "a note of a keyring entry could not be removed");
            }
            _ => {}
        }
    }

    /// The entries that are noted.
    pub(super) fn all(&self) -> Vec<String> {
        let entry = |file: fs::DirEntry| Some(file.file_name().to_str()?.strip_suffix(ENDING)?.to_owned());
        fs::read_dir(&self.0).map(|files| files.flatten().filter_map(entry).collect()).unwrap_or_default()
    }

    fn path(&self, entry: &str) -> PathBuf {
        self.0.join(format!("{entry}{ENDING}"))
    }
}
