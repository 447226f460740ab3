//! The file of a blob that is being written, until it has its name and is durable, and the sums of what was written.
//! Waits for the disk.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tokio::runtime::Handle;

use super::sums::{Summing, Sums};
use super::write_out;
use crate::service::content::lane::Work;
use crate::service::content::private;
use crate::service::content::seal::LooseEnds;

/// Dropped before it is durable under its name, it goes from the disk.
pub(super) struct Part {
    /// Where it lies by now.
    path: PathBuf,
    place: PathBuf,
    file: File,
    sums: Summing,
    /// Up to here the system has begun to write it out.
    begun: u64,
    is_durable: bool,
    loose_ends: LooseEnds,
}

impl Part {
    /// Makes the file of what is to lie at `place` once it is whole. Nobody else can read it; its folder keeps others
    /// out before.
    pub(super) fn make(place: PathBuf, sums: Summing, loose_ends: LooseEnds) -> io::Result<Self> {
        let mut path = place.clone().into_os_string();
        path.push("#1");
        let file = private::file_options().write(true).create_new(true).open(&path)?;
        let path = path.into();
        Ok(Self { path, place, file, sums, begun: 0, is_durable: false, loose_ends })
    }

    /// Syncs the bytes, gives the file its name and syncs the folder. Gives the sums of all that was written.
    pub(super) fn name(mut self) -> io::Result<Sums> {
        self.file.sync_all()?;
        self.rename()?;
        File::open(self.place.parent().unwrap_or(Path::new(".")))?.sync_all()?;
        self.is_durable = true;
        Ok(std::mem::take(&mut self.sums).finish())
    }

    fn rename(&mut self) -> io::Result<()> {
        fs::rename(&self.path, &self.place)?;
        self.path.clone_from(&self.place);
        Ok(())
    }
}

impl Work for Part {
    fn work(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sums.add(bytes);
        self.file.write_all(bytes)?;
        let end = self.sums.size();
        if end - self.begun >= write_out::STEP_BYTES {
            write_out::begin(&self.file, &(self.begun..end));
            self.begun = end;
        }
        Ok(())
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if self.is_durable {
            return;
        }
        let (path, loose_ends) = (std::mem::take(&mut self.path), self.loose_ends.clone());
        let remove = move || {
            if let Err(error) = fs::remove_file(path) {
                // The next start removes it.
                loose_ends.leave();
                tracing::warn!(%error, "an unfinished blob could not be removed");
            }
        };
        // A large file takes time to remove.
        match Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn_blocking(remove)),
            Err(_) => remove(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(dir: &Path, ends: &LooseEnds) -> Part {
        let mut part = Part::make(dir.join("b10b"), Summing::default(), ends.clone()).unwrap();
        part.work(b"bytes").unwrap();
        part
    }

    // Seen to fail when a blob counts as whole once it has its name.
    #[test]
    fn what_has_its_name_goes_all_the_same_if_its_folder_could_not_be_synced() {
        let (dir, ends) = (tempfile::tempdir().unwrap(), LooseEnds::default());
        let mut part = part(dir.path(), &ends);
        part.rename().unwrap();
        drop(part);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
        assert!(ends.are_tied());
    }

    #[test]
    fn what_could_not_be_removed_is_left_to_the_next_start() {
        let (dir, ends) = (tempfile::tempdir().unwrap(), LooseEnds::default());
        let mut part = part(dir.path(), &ends);
        part.rename().unwrap();
        fs::rename(dir.path().join("b10b"), dir.path().join("elsewhere")).unwrap();
        drop(part);
        assert!(!ends.are_tied());
    }

    #[test]
    fn what_is_durable_stays() {
        let (dir, ends) = (tempfile::tempdir().unwrap(), LooseEnds::default());
        part(dir.path(), &ends).name().unwrap();
        assert_eq!(fs::read(dir.path().join("b10b")).unwrap(), b"bytes");
        assert!(ends.are_tied());
    }
}
