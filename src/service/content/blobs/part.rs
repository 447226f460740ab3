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

/// Dropped before it has its name, it goes from the disk.
pub(super) struct Part {
    path: PathBuf,
    place: PathBuf,
    file: File,
    sums: Summing,
    /// Up to here the system has begun to write it out.
    begun: u64,
    is_named: bool,
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
        Ok(Self { path, place, file, sums, begun: 0, is_named: false, loose_ends })
    }

    /// Syncs the bytes, gives the file its name and syncs the folder. Gives the sums of all that was written.
    pub(super) fn name(mut self) -> io::Result<Sums> {
        self.file.sync_all()?;
        fs::rename(&self.path, &self.place)?;
        self.is_named = true;
        File::open(self.place.parent().unwrap_or(Path::new(".")))?.sync_all()?;
        Ok(std::mem::take(&mut self.sums).finish())
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
        if self.is_named {
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
