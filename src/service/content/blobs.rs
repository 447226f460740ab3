//! Bytes on disk, each under a random id: one blob for a version of a file, never shared, never under a user's name.
//! Knows nothing of files, folders or the database.

mod digest;
mod part;
mod reading;
mod small;
mod sums;
mod write_out;

use std::fmt;
use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use serde::Deserialize;
use tokio::sync::SetOnce;
use tokio::task::spawn_blocking;

pub(crate) use digest::Digest;
use part::Part;
pub(crate) use reading::Reading;
use small::SmallReads;
pub(crate) use sums::{BLOCK_BYTES, BlockSums, Summing, Sums, blocks_of, places};

use super::lane::{Lane, Work as _};
use super::reserve::Room;
use super::seal::LooseEnds;
use super::unclaimed::Unclaimed;
use super::{data_dir, private};

/// Names a blob: 32 random hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Deserialize)]
pub(crate) struct BlobId(String);

impl BlobId {
    /// Takes a name that `random` may have made.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        let is_one = name.len() == 32 && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        is_one.then(|| Self(name.to_owned()))
    }

    fn random() -> Self {
        Self(uuid::Uuid::new_v4().simple().to_string())
    }

    /// Takes an id as the database keeps it.
    pub(crate) fn from_stored(id: String) -> Self {
        Self(id)
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// One of a few folders that are there from the start: a new one for a blob would have to be synced too, and so
    /// would the folder that it is in.
    fn folder(&self) -> &str {
        self.0.get(..1).unwrap_or("_")
    }
}

#[derive(Clone)]
pub(crate) struct Blobs {
    pub(crate) root: PathBuf,
    /// Where a start puts blobs that no file names.
    pub(crate) aside: PathBuf,
    /// Room for blobs that are whole and belong to no row yet.
    pub(crate) unclaimed: Unclaimed,
    pub(crate) loose_ends: LooseEnds,
    small: SmallReads,
    /// Set once what an earlier process left is in order. Nothing is added before, so that it can be told from that.
    order: Arc<SetOnce<()>>,
    /// Nothing is written while this is in use.
    room: Option<Room>,
}

impl fmt::Debug for Blobs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Blobs").field("root", &self.root).finish_non_exhaustive()
    }
}

impl Blobs {
    /// Opens the blobs of a store's directory, and makes their folders durably if they are not there.
    pub(crate) fn open(dir: &Path) -> io::Result<Self> {
        make_folders(&data_dir::blobs(dir))?;
        Self::at(dir)
    }

    /// Opens the blobs of a store's directory as they are.
    pub(crate) fn at(dir: &Path) -> io::Result<Self> {
        let (root, aside) = (data_dir::blobs(dir), data_dir::aside(dir));
        fs::metadata(&root)?;
        Ok(Self {
            root,
            aside,
            unclaimed: Unclaimed::new(),
            loose_ends: LooseEnds::default(),
            small: SmallReads::default(),
            order: Arc::new(SetOnce::new_with(Some(()))),
            room: None,
        })
    }

    /// Leaves this room on the disk to deletions.
    pub(crate) fn keeping(self, room: Room) -> Self {
        Self { room: Some(room), ..self }
    }

    /// Takes no new blobs before `put_in_order` is said.
    pub(crate) fn in_disorder(self) -> Self {
        Self { order: Arc::new(SetOnce::new()), ..self }
    }

    /// Waits until they are.
    pub(crate) async fn in_order(&self) {
        self.order.wait().await;
    }

    /// Lets those in who wait.
    pub(crate) fn put_in_order(&self) {
        // Said again, it is as good.
        let _ = self.order.set(());
    }

    /// Fails as a full disk does while the room for deletions is in use.
    async fn check_room(&self) -> io::Result<()> {
        match &self.room {
            Some(room) if !room.is_held().await => Err(io::ErrorKind::StorageFull.into()),
            _ => Ok(()),
        }
    }

    /// Starts a new blob, once the others are in order. Dropped before `finish`, it leaves nothing.
    pub(crate) async fn create(&self) -> io::Result<BlobWriter> {
        self.in_order().await;
        self.check_room().await?;
        BlobWriter::begin(BlobId::random(), self, Summing::default())
    }

    /// All bytes as they are on the disk.
    pub(crate) fn read(&self, id: &BlobId) -> Reading {
        Reading::unchecked(self.place(id))
    }

    /// A part of a blob of `size` bytes, as it was stored; `sums` are those of the blocks that hold it. A block that is
    /// not as it was stored is a failure that `is_damage` knows.
    pub(crate) fn read_part(&self, id: &BlobId, size: u64, part: Range<u64>, sums: BlockSums) -> Reading {
        Reading::checked(self.place(id), part, size, sums)
    }

    /// All bytes of a blob of one block, as they were stored: at once, and checked on the thread that reads them.
    pub(crate) async fn read_block(&self, id: &BlobId, size: u64, digest: Digest) -> io::Result<Bytes> {
        self.small.read(self.place(id), size, digest).await
    }

    /// Removes a blob; one that is gone already counts as removed.
    pub(crate) async fn remove(&self, id: &BlobId) -> io::Result<()> {
        let place = self.place(id);
        match at_the_disk(move || fs::remove_file(place)).await {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            other => other,
        }
    }

    /// The sums of the bytes as they are on the disk, to be held against this digest.
    pub(crate) async fn sums(&self, id: &BlobId, like: &Digest) -> io::Result<Sums> {
        let (mut bytes, mut sums) = (self.read(id), Summing::like(like));
        while let Some(chunk) = bytes.next().await? {
            sums.add(&chunk);
        }
        Ok(sums.finish())
    }

    /// Copies a blob to another directory, durably and under the same id. Gives the sums of what was copied, to be
    /// held against this digest.
    pub(crate) async fn copy_to(&self, id: &BlobId, other: &Self, like: &Digest) -> io::Result<Sums> {
        let mut bytes = self.read(id);
        let mut writer = BlobWriter::begin(id.clone(), other, Summing::like(like))?;
        while let Some(chunk) = bytes.next().await? {
            writer.write(chunk).await?;
        }
        Ok(writer.finish(Bytes::new()).await?.1)
    }

    /// Where a finished blob lies.
    pub(crate) fn place(&self, id: &BlobId) -> PathBuf {
        self.root.join(id.folder()).join(id.as_str())
    }
}

/// Makes what is missing, syncs the folders that name it, and closes to others what an earlier version left open.
fn make_folders(root: &Path) -> io::Result<()> {
    if private::is_open(root)? {
        tighten_tree(root)?;
    }
    let folders: Vec<_> = "0123456789abcdef".chars().map(|digit| root.join(digit.to_string())).collect();
    if folders.iter().all(|folder| folder.is_dir()) {
        return Ok(());
    }
    folders.iter().try_for_each(|folder| private::folder_builder().create(folder))?;
    [Some(root), root.parent()].into_iter().flatten().try_for_each(|parent| File::open(parent)?.sync_all())
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
    id: BlobId,
    blobs: Blobs,
    lane: Lane<Part>,
}

impl BlobWriter {
    fn begin(id: BlobId, blobs: &Blobs, sums: Summing) -> io::Result<Self> {
        let part = Part::make(blobs.place(&id), sums, blobs.loose_ends.clone())?;
        Ok(Self { id, blobs: blobs.clone(), lane: Lane::new(part) })
    }

    /// Returns before they are written. What goes wrong then is told by the next call.
    pub(crate) async fn write(&mut self, bytes: Bytes) -> io::Result<()> {
        self.blobs.check_room().await?;
        self.lane.add(bytes).await
    }

    /// Writes the last bytes, syncs the bytes, gives the blob its name and syncs the folder: it is durable when this
    /// returns. All at once, so that a small blob takes one way to the threads that may wait for the disk.
    pub(crate) async fn finish(self, bytes: Bytes) -> io::Result<(BlobId, Sums)> {
        self.blobs.check_room().await?;
        let mut part = self.lane.finish().await?;
        let sums = at_the_disk(move || part.work(&bytes).and_then(|()| part.name())).await?;
        Ok((self.id, sums))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    #[tokio::test]
    async fn no_blob_is_begun_before_the_others_are_in_order() {
        let dir = tempfile::tempdir().unwrap();
        let blobs = Blobs::open(dir.path()).unwrap().in_disorder();
        let begun = blobs.create();
        tokio::pin!(begun);
        assert!(timeout(Duration::ZERO, &mut begun).await.is_err());
        blobs.put_in_order();
        timeout(Duration::from_secs(20), begun).await.unwrap().unwrap();
        blobs.create().await.unwrap();
    }
}
