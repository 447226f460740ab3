//! The file of a blob that is being written, until it is complete and durable, and the sums of the
//! bytes written. Blocks on the disk. Knows nothing of the purpose of the blob.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::PathBuf;

use tokio::runtime::Handle;

use super::names::{BlobNames, BlobStage};
use super::write_out;
use crate::chunk_worker::ChunkWork;
use crate::service::content::blob::{BlobId, SumBuilder, Sums};
use crate::service::content::private;

/// Removes the file if dropped before it is durable.
pub(super) struct PartialBlob {
    id: BlobId,
    names: BlobNames,
    path: PathBuf,
    file: File,
    sums: SumBuilder,
    /// The position up to which the system has begun to write the file out.
    begun: u64,
    is_durable: bool,
}

impl PartialBlob {
    pub(super) fn make(id: BlobId, names: BlobNames, sums: SumBuilder) -> io::Result<Self> {
        let path = names.path(&id, BlobStage::Part);
        let file = private::file_options()
            .write(true)
            .create_new(true)
            .open(&path)?;
        Ok(Self {
            id,
            names,
            path,
            file,
            sums,
            begun: 0,
            is_durable: false,
        })
    }

    /// Syncs the bytes, gives the file the pending name and syncs the folder. Returns the sums of
    /// all bytes.
    pub(super) fn make_pending(mut self) -> io::Result<Sums> {
        self.file.sync_all()?;
        self.rename()?;
        self.names.sync_folders(std::slice::from_ref(&self.id))?;
        self.is_durable = true;
        Ok(std::mem::take(&mut self.sums).finish())
    }

    fn rename(&mut self) -> io::Result<()> {
        let pending = self.names.path(&self.id, BlobStage::Pending);
        fs::rename(&self.path, &pending)?;
        self.path = pending;
        Ok(())
    }
}

impl ChunkWork for PartialBlob {
    fn work(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sums.add(bytes);
        self.file.write_all(bytes)?;
        let end = self.sums.size;
        if end - self.begun >= write_out::STEP_BYTES {
            write_out::begin(&self.file, &(self.begun..end));
            self.begun = end;
        }
        Ok(())
    }
}

impl Drop for PartialBlob {
    fn drop(&mut self) {
        if self.is_durable {
            return;
        }
        let path = std::mem::take(&mut self.path);
        let remove = move || {
            if let Err(error) = fs::remove_file(path)
                && error.kind() != io::ErrorKind::NotFound
            {
                tracing::warn!(%error, "an unfinished upload could not be removed; the next start removes it");
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

    fn part() -> (tempfile::TempDir, PartialBlob, BlobNames) {
        let dir = tempfile::tempdir().unwrap();
        let names = BlobNames::below(dir.path().to_owned());
        names
            .folders()
            .for_each(|folder| fs::create_dir(folder).unwrap());
        let mut part =
            PartialBlob::make(BlobId::random(), names.clone(), SumBuilder::default()).unwrap();
        part.work(b"bytes").unwrap();
        (dir, part, names)
    }

    fn files(names: &BlobNames) -> usize {
        names
            .folders()
            .map(|folder| fs::read_dir(folder).unwrap().count())
            .sum()
    }

    // Fails if a blob counts as durable once it has the pending name.
    #[test]
    fn a_blob_whose_folder_could_not_be_synced_is_removed() {
        let (_dir, mut part, names) = part();
        part.rename().unwrap();
        drop(part);
        assert_eq!(files(&names), 0);
    }

    #[test]
    fn a_durable_blob_stays() {
        let (_dir, part, names) = part();
        let id = part.id.clone();
        part.make_pending().unwrap();
        assert_eq!(
            fs::read(names.path(&id, BlobStage::Pending)).unwrap(),
            b"bytes"
        );
        assert_eq!(files(&names), 1);
    }
}
