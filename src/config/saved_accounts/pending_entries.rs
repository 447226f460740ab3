//! Records keyring entries that are being added or removed, each as an empty file. An interruption
//! in between leaves an entry that no account names; the record preserves its name.

use std::fs;
use std::io;
use std::path::PathBuf;

use crate::config::paths::create_private_dir;
use crate::regular_file;

#[derive(Debug, Clone)]
pub(super) struct Notes(PathBuf);

const ENDING: &str = ".entry";

impl Notes {
    pub(super) fn new(dir: PathBuf) -> Self {
        Self(dir)
    }

    pub(super) fn add(&self, entry: &str) -> io::Result<()> {
        create_private_dir(&self.0)?;
        regular_file::open_own(&self.path(entry))?.sync_all()
    }

    /// Removes the record of an entry. A record that remains is checked again later.
    pub(super) fn remove(&self, entry: &str) {
        match fs::remove_file(self.path(entry)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                tracing::warn!(%error, "a note of a keyring entry could not be removed");
            }
            _ => {}
        }
    }

    pub(super) fn all(&self) -> Vec<String> {
        let entry =
            |file: fs::DirEntry| Some(file.file_name().to_str()?.strip_suffix(ENDING)?.to_owned());
        fs::read_dir(&self.0)
            .map(|files| files.flatten().filter_map(entry).collect())
            .unwrap_or_default()
    }

    fn path(&self, entry: &str) -> PathBuf {
        self.0.join(format!("{entry}{ENDING}"))
    }
}
