//! A folder for files that a store does not use; they stay for a while in case somebody misses
//! them.

use std::path::PathBuf;
use std::{fs, io};

use jiff::Timestamp;

use super::directory::BlobDirectory;
use super::disk::sync;
use super::private;

impl BlobDirectory {
    /// Moves files aside durably, into a folder named after this time. Links are moved as links.
    pub(crate) fn put_aside(&self, files: &[PathBuf], now: Timestamp) -> io::Result<()> {
        if files.is_empty() {
            return Ok(());
        }
        let folder = self.aside.join(now.as_millisecond().to_string());
        private::folder_builder().create(&folder)?;
        for file in files {
            match fs::rename(file, folder.join(file.file_name().unwrap_or_default())) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        let above = [Some(&*folder), folder.parent(), self.names.root().parent()];
        above.into_iter().flatten().try_for_each(sync)
    }

    /// Removes files that were moved aside at this time or earlier. Returns the time of the oldest
    /// that are left.
    pub(crate) async fn remove_aside(&self, until: Timestamp) -> io::Result<Option<Timestamp>> {
        let aside = self.aside.clone();
        let sweep = move || {
            let folders = match fs::read_dir(aside) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                folders => folders?,
            };
            let mut left = Vec::new();
            for folder in folders {
                let folder = folder?.path();
                let millis = folder
                    .file_name()
                    .and_then(|name| name.to_str())
                    .and_then(|name| name.parse().ok());
                match millis.and_then(|millis| Timestamp::from_millisecond(millis).ok()) {
                    Some(since) if since <= until => fs::remove_dir_all(folder)?,
                    since => left.extend(since),
                }
            }
            Ok(left.into_iter().min())
        };
        tokio::task::spawn_blocking(sweep)
            .await
            .map_err(io::Error::other)?
    }
}
