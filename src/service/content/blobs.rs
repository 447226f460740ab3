//! Bytes on disk, each under a random id: one blob for a version of a file, never shared, never under a user's name.
//! Knows nothing of files, folders or the database.

mod digest;
mod id;
mod names;
mod part;
mod reader;
mod small;
mod sums;
mod uploads;
mod write_out;

use std::collections::HashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::{fs, io};

use bytes::Bytes;
use tokio::task::spawn_blocking;

pub(crate) use digest::ContentDigest;
pub(crate) use id::BlobId;
pub(crate) use names::{BlobFile, BlobNames, BlobStage};
use part::PartialBlob;
pub(crate) use reader::BlobReader;
use small::SmallReads;
pub(crate) use sums::{BLOCK_BYTES, BlockSums, SumBuilder, Sums, blocks_of, places};
pub(crate) use uploads::{BlobUpload, Uploads};

use super::disk::sync;
use super::reserve::DiskReserve;
use super::worker::{ChunkWork as _, Worker};
use super::{data_dir, private};

/// Cheap to clone.
#[derive(Clone)]
pub(crate) struct Blobs {
    pub(crate) names: BlobNames,
    /// Where a start puts blobs that no row names.
    pub(crate) aside: PathBuf,
    pub(crate) uploads: Uploads,
    small: SmallReads,
    /// Blobs of the sample, which a reset needs.
    kept: Arc<OnceLock<HashSet<BlobId>>>,
    /// Nothing is written while this is in use.
    room: Option<DiskReserve>,
}

impl Blobs {
    /// Opens the blobs of a store's directory, and makes their folders durably if they are not there.
    pub(crate) fn open(dir: &Path) -> io::Result<Self> {
        make_folders(&BlobNames::below(data_dir::blobs(dir)))?;
        Self::at(dir)
    }

    /// Opens the blobs of a store's directory as they are. A folder that is a link is refused: what lies behind it is not
    /// the store's.
    pub(crate) fn at(dir: &Path) -> io::Result<Self> {
        let names = BlobNames::below(data_dir::blobs(dir));
        fs::metadata(names.root())?;
        for folder in names.folders() {
            if fs::symlink_metadata(&folder).is_ok_and(|found| !found.is_dir()) {
                let message = format!("{} is not a folder; put back the one that was there", folder.display());
                return Err(io::Error::new(io::ErrorKind::NotADirectory, message));
            }
        }
        let (uploads, small) = (Uploads::default(), SmallReads::default());
        Ok(Self { names, aside: data_dir::aside(dir), uploads, small, kept: Arc::default(), room: None })
    }

    /// Leaves this room on the disk to deletions.
    pub(crate) fn keeping(self, room: DiskReserve) -> Self {
        Self { room: Some(room), ..self }
    }

    /// Never removes these blobs. Of several sets the first one counts.
    pub(crate) fn keep(&self, blobs: HashSet<BlobId>) {
        self.kept.get_or_init(|| blobs);
    }

    /// Fails as a full disk does while the room for deletions is in use.
    async fn check_room(&self) -> io::Result<()> {
        match &self.room {
            Some(room) if !room.is_held().await => Err(io::ErrorKind::StorageFull.into()),
            _ => Ok(()),
        }
    }

    /// Starts a new blob. Dropped before `finish`, it leaves nothing.
    pub(crate) async fn create(&self) -> io::Result<BlobWriter> {
        self.check_room().await?;
        BlobWriter::begin(BlobId::random(), self, SumBuilder::default())
    }

    fn opener(&self, id: &BlobId) -> impl FnOnce() -> io::Result<fs::File> + Send + 'static {
        let (names, id) = (self.names.clone(), id.clone());
        move || names.open(&id)
    }

    /// All bytes as they are on the disk.
    pub(crate) fn read(&self, id: &BlobId) -> BlobReader {
        BlobReader::begin(self.opener(id), 0..u64::MAX, u64::MAX, None)
    }

    /// A part of a blob of `size` bytes, as it was stored; `sums` are those of the blocks that hold it. A block that is
    /// not as it was stored is a failure that `is_damage` knows.
    pub(crate) fn read_part(&self, id: &BlobId, size: u64, part: Range<u64>, sums: BlockSums) -> BlobReader {
        BlobReader::begin(self.opener(id), part, size, Some(sums))
    }

    /// All bytes of a blob of one block, as they were stored: at once, and checked on the thread that reads them.
    pub(crate) async fn read_block(&self, id: &BlobId, size: u64, digest: ContentDigest) -> io::Result<Bytes> {
        self.small.read(self.opener(id), size, digest).await
    }

    /// Removes blobs, durably and under every name that they have. Those that are gone already count as removed.
    pub(crate) async fn remove(&self, mut blobs: Vec<BlobId>) -> io::Result<()> {
        if let Some(kept) = self.kept.get() {
            blobs.retain(|id| !kept.contains(id));
        }
        let names = self.names.clone();
        at_the_disk(move || {
            blobs.iter().try_for_each(|id| names.remove(id))?;
            names.sync_folders(&blobs)
        })
        .await
    }

    /// Removes a blob that no row ever named. Should a loss of power bring it back, its name says so.
    pub(crate) async fn discard(&self, id: BlobId) -> io::Result<()> {
        let names = self.names.clone();
        at_the_disk(move || names.remove(&id)).await
    }

    /// The sums of the bytes as they are on the disk, to be held against this digest.
    pub(crate) async fn sums(&self, id: &BlobId, like: &ContentDigest) -> io::Result<Sums> {
        let (mut bytes, mut sums) = (self.read(id), SumBuilder::like(like));
        while let Some(chunk) = bytes.next().await? {
            sums.add(&chunk);
        }
        Ok(sums.finish())
    }

    /// Copies a blob to another directory, durably and under the same id. Gives the sums of what was copied, to be
    /// held against this digest; or why the blob cannot be read.
    ///
    /// # Errors
    ///
    /// Where the copy cannot be written.
    pub(crate) async fn copy_to(
        &self,
        id: &BlobId,
        other: &Self,
        like: &ContentDigest,
    ) -> io::Result<io::Result<Sums>> {
        let mut bytes = self.read(id);
        let mut writer = BlobWriter::begin(id.clone(), other, SumBuilder::like(like))?;
        loop {
            match bytes.next().await {
                Ok(Some(chunk)) => writer.write(chunk).await?,
                Ok(None) => break,
                Err(error) => return Ok(Err(error)),
            }
        }
        let (sums, _) = writer.finish(Bytes::new()).await?;
        let (names, id) = (other.names.clone(), vec![id.clone()]);
        at_the_disk(move || {
            names.make_final(&id);
            names.sync_folders(&id)
        })
        .await?;
        Ok(Ok(sums))
    }
}

/// Makes what is missing, syncs the folders that name it, and closes to others what an earlier version left open.
fn make_folders(names: &BlobNames) -> io::Result<()> {
    let root = names.root();
    if fs::metadata(root).is_ok_and(|found| private::open_mode(&found).is_some()) {
        tighten_tree(root)?;
    }
    if names.folders().all(|folder| folder.is_dir()) {
        return Ok(());
    }
    names.folders().try_for_each(|folder| private::folder_builder().create(folder))?;
    [Some(root), root.parent()].into_iter().flatten().try_for_each(sync)
}

/// Each folder after what is in it, so that one that is closed has nothing open in it.
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

/// Whether the bytes could be read and are not those that were stored.
pub(crate) fn is_damage(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::InvalidData
}

async fn at_the_disk<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> io::Result<T> {
    spawn_blocking(work).await.map_err(io::Error::other)?
}

/// A blob being written. Dropped before `finish`, it leaves nothing.
pub(crate) struct BlobWriter {
    blobs: Blobs,
    upload: BlobUpload,
    worker: Worker<PartialBlob>,
}

impl BlobWriter {
    fn begin(id: BlobId, blobs: &Blobs, sums: SumBuilder) -> io::Result<Self> {
        let upload = blobs.uploads.begin(id.clone());
        let part = PartialBlob::make(id, blobs.names.clone(), sums)?;
        Ok(Self { blobs: blobs.clone(), upload, worker: Worker::new(part) })
    }

    /// Returns before they are written. The next call reports what goes wrong then.
    pub(crate) async fn write(&mut self, bytes: Bytes) -> io::Result<()> {
        self.blobs.check_room().await?;
        self.worker.add(bytes).await
    }

    /// Writes the last bytes, syncs the bytes, gives the blob its pending name and syncs the folder: it is durable when
    /// this returns. All at once, so that a small blob takes one way to the threads that may wait for the disk.
    pub(crate) async fn finish(self, bytes: Bytes) -> io::Result<(Sums, BlobUpload)> {
        self.blobs.check_room().await?;
        let mut part = self.worker.finish().await?;
        let sums = at_the_disk(move || part.work(&bytes).and_then(|()| part.make_pending())).await?;
        Ok((sums, self.upload))
    }
}
