//! Bytes on disk under random ids: one blob per version of a file, never shared and never under a
//! user's name. Knows nothing of files, folders or the database.

mod names;
mod part;
mod reader;
mod small;
mod write_out;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{fs, io};

use bytes::Bytes;
use tokio::task::spawn_blocking;

pub(crate) use names::{BlobFile, BlobNames, BlobStage};
use part::PartialBlob;
pub(crate) use reader::DirectoryReader;
use small::SmallReads;

use super::blob::{
    BlobId, BlobUpload, BlockSums, BlockWindow, ContentDigest, SumBuilder, Sums, Uploads,
};
use super::disk::sync;
use super::reserve::DiskReserve;
use super::{data_dir, private};
use crate::chunk_worker::{ChunkWork as _, Worker};

#[derive(Clone)]
pub(crate) struct BlobDirectory {
    pub(crate) names: BlobNames,
    /// The folder to which a start moves blobs that no row names.
    pub(crate) aside: PathBuf,
    pub(crate) uploads: Uploads,
    small: SmallReads,
    /// Reserved disk space; nothing is written while deletions use it.
    room: Option<DiskReserve>,
}

impl BlobDirectory {
    /// Opens the blobs of a store's directory; creates missing folders durably.
    pub(crate) fn open(dir: &Path) -> io::Result<Self> {
        make_folders(&BlobNames::below(data_dir::blobs(dir)))?;
        Self::at(dir)
    }

    /// Opens the blobs of a store's directory as they are. A linked folder is refused, as it is not
    /// part of the store.
    pub(crate) fn at(dir: &Path) -> io::Result<Self> {
        let names = BlobNames::below(data_dir::blobs(dir));
        fs::metadata(names.root())?;
        for folder in names.folders() {
            if fs::symlink_metadata(&folder).is_ok_and(|found| !found.is_dir()) {
                let message = format!(
                    "{} is not a folder; put back the one that was there",
                    folder.display()
                );
                return Err(io::Error::new(io::ErrorKind::NotADirectory, message));
            }
        }
        let (uploads, small) = (Uploads::default(), SmallReads::default());
        Ok(Self {
            names,
            aside: data_dir::aside(dir),
            uploads,
            small,
            room: None,
        })
    }

    pub(crate) fn keeping(self, room: DiskReserve) -> Self {
        Self {
            room: Some(room),
            ..self
        }
    }

    /// Fails like a full disk while deletions use the reserved space.
    async fn check_room(&self) -> io::Result<()> {
        match &self.room {
            Some(room) if !room.is_held().await => Err(io::ErrorKind::StorageFull.into()),
            _ => Ok(()),
        }
    }

    pub(crate) async fn create(&self, id: BlobId, sums: SumBuilder) -> io::Result<DirectoryWriter> {
        self.check_room().await?;
        DirectoryWriter::begin(id, self, sums)
    }

    fn opener(&self, id: &BlobId) -> impl FnOnce() -> io::Result<fs::File> + Send + 'static {
        let (names, id) = (self.names.clone(), id.clone());
        move || names.open(&id)
    }

    pub(crate) fn read(&self, id: &BlobId) -> DirectoryReader {
        DirectoryReader::begin(
            self.opener(id),
            BlockWindow::of(0..u64::MAX, u64::MAX, None),
        )
    }

    pub(crate) fn read_part(
        &self,
        id: &BlobId,
        size: u64,
        part: Range<u64>,
        sums: BlockSums,
    ) -> DirectoryReader {
        DirectoryReader::begin(self.opener(id), BlockWindow::of(part, size, Some(sums)))
    }

    /// Reads a blob of one block in one go, and checks it on the thread that reads it.
    pub(crate) async fn read_block(
        &self,
        id: &BlobId,
        size: u64,
        digest: ContentDigest,
    ) -> io::Result<Bytes> {
        self.small.read(self.opener(id), size, digest).await
    }

    /// Removes blobs durably under each of their names. Blobs that do not exist count as removed.
    pub(crate) async fn remove(&self, blobs: Vec<BlobId>) -> io::Result<()> {
        let names = self.names.clone();
        at_the_disk(move || {
            blobs.iter().try_for_each(|id| names.remove(id))?;
            names.sync_folders(&blobs)
        })
        .await
    }

    /// Removes a blob that no row ever named. If a power loss brings it back, its name shows that
    /// it has no row.
    pub(crate) async fn discard(&self, id: BlobId) -> io::Result<()> {
        let names = self.names.clone();
        at_the_disk(move || names.remove(&id)).await
    }

    pub(crate) async fn make_final(&self, id: &BlobId) -> io::Result<()> {
        let (names, id) = (self.names.clone(), vec![id.clone()]);
        at_the_disk(move || {
            names.make_final(&id);
            names.sync_folders(&id)
        })
        .await
    }
}

/// Creates missing folders, syncs their parents, and closes to others what an earlier version left
/// open.
fn make_folders(names: &BlobNames) -> io::Result<()> {
    let root = names.root();
    if fs::metadata(root).is_ok_and(|found| private::open_mode(&found).is_some()) {
        tighten_tree(root)?;
    }
    if names.folders().all(|folder| folder.is_dir()) {
        return Ok(());
    }
    names
        .folders()
        .try_for_each(|folder| private::folder_builder().create(folder))?;
    [Some(root), root.parent()]
        .into_iter()
        .flatten()
        .try_for_each(sync)
}

/// Closes each folder after its contents, so that a closed folder has nothing open in it.
fn tighten_tree(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            tighten_tree(&entry.path())?;
        } else if entry.file_type()?.is_file() {
            private::tighten(&entry.path())?;
        }
    }
    private::tighten(folder)
}

async fn at_the_disk<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    spawn_blocking(work).await.map_err(io::Error::other)?
}

pub(crate) struct DirectoryWriter {
    blobs: BlobDirectory,
    upload: BlobUpload,
    worker: Worker<PartialBlob>,
}

impl DirectoryWriter {
    fn begin(id: BlobId, blobs: &BlobDirectory, sums: SumBuilder) -> io::Result<Self> {
        let upload = blobs.uploads.begin(id.clone());
        let part = PartialBlob::make(id, blobs.names.clone(), sums)?;
        Ok(Self {
            blobs: blobs.clone(),
            upload,
            worker: Worker::new(part),
        })
    }

    pub(crate) async fn write(&mut self, bytes: Bytes) -> io::Result<()> {
        self.blobs.check_room().await?;
        self.worker.add(bytes).await
    }

    /// Writes the last bytes, syncs the file, gives it the pending name and syncs the folder; the
    /// blob is durable when this returns. All of it is one job for the blocking threads, to keep
    /// small blobs cheap.
    pub(crate) async fn finish(self, bytes: Bytes) -> io::Result<(Sums, BlobUpload)> {
        self.blobs.check_room().await?;
        let mut part = self.worker.finish().await?;
        let sums =
            at_the_disk(move || part.work(&bytes).and_then(|()| part.make_pending())).await?;
        Ok((sums, self.upload))
    }
}
