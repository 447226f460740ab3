//! Bytes on disk, each under a random id: one blob for a version of a file, never shared, never under a user's name.
//! Knows nothing of files, folders or the database.

mod part;

use std::fmt;
use std::ops::Range;
use std::path::{Path as OsPath, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use futures::TryStreamExt as _;
use futures::stream::BoxStream;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{GetOptions, GetRange, ObjectStore as _, ObjectStoreExt as _};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use part::Part;

use super::room::Room;
use super::unclaimed::Unclaimed;
use super::{data_dir, private};

/// A failure of the disk.
pub(crate) type BlobError = object_store::Error;

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

    fn path(&self) -> Path {
        Path::from_iter([self.folder(), self.0.as_str()])
    }

    /// One of a few folders that are there from the start: a new one for a blob would have to be synced too, and so
    /// would the folder that it is in.
    fn folder(&self) -> &str {
        self.0.get(..1).unwrap_or("_")
    }
}

#[derive(Clone)]
pub(crate) struct Blobs {
    files: Arc<LocalFileSystem>,
    pub(crate) root: PathBuf,
    /// Where a start puts blobs that no file names.
    pub(crate) aside: PathBuf,
    /// Room for blobs that are whole and belong to no row yet.
    pub(crate) unclaimed: Unclaimed,
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
    pub(crate) fn open(dir: &OsPath) -> Result<Self, BlobError> {
        make_folders(&data_dir::blobs(dir)).map_err(failed)?;
        Self::at(dir)
    }

    /// Opens the blobs of a store's directory as they are.
    pub(crate) fn at(dir: &OsPath) -> Result<Self, BlobError> {
        let (root, aside) = (data_dir::blobs(dir), data_dir::aside(dir));
        let files = LocalFileSystem::new_with_prefix(&root)?;
        Ok(Self { files: Arc::new(files), root, aside, unclaimed: Unclaimed::new(), room: None })
    }

    /// Leaves this room on the disk to deletions.
    pub(crate) fn keeping(self, room: Room) -> Self {
        Self { room: Some(room), ..self }
    }

    /// Fails as a full disk does while the room for deletions is in use.
    async fn check_room(&self) -> Result<(), BlobError> {
        match &self.room {
            Some(room) if !room.is_held().await => Err(failed(std::io::ErrorKind::StorageFull.into())),
            _ => Ok(()),
        }
    }

    /// Starts a new blob. Dropped before `finish`, it leaves nothing.
    pub(crate) async fn create(&self) -> Result<BlobWriter, BlobError> {
        self.check_room().await?;
        BlobWriter::begin(BlobId::random(), self)
    }

    /// The bytes, or a part of them, as they are on the disk.
    pub(crate) async fn read(
        &self,
        id: &BlobId,
        range: Option<Range<u64>>,
    ) -> Result<BoxStream<'static, Result<Bytes, BlobError>>, BlobError> {
        let options = GetOptions { range: range.map(GetRange::Bounded), ..GetOptions::default() };
        Ok(self.files.get_opts(&id.path(), options).await?.into_stream())
    }

    /// The first `size` bytes at once: for few of them that is one way to the disk and back, where a stream takes three.
    pub(crate) async fn read_start(&self, id: &BlobId, size: u64) -> Result<Bytes, BlobError> {
        self.files.get_range(&id.path(), 0..size).await
    }

    /// Removes a blob; one that is gone already counts as removed.
    pub(crate) async fn remove(&self, id: &BlobId) -> Result<(), BlobError> {
        match self.files.delete(&id.path()).await {
            Err(BlobError::NotFound { .. }) => Ok(()),
            other => other,
        }
    }

    /// Size and SHA-256 (lower-case hex) of the bytes as they are on the disk.
    pub(crate) async fn digest(&self, id: &BlobId) -> Result<(u64, String), BlobError> {
        let mut bytes = self.read(id, None).await?;
        let (mut size, mut sha256) = (0, Sha256::new());
        while let Some(chunk) = bytes.try_next().await? {
            size += chunk.len() as u64;
            sha256.update(&chunk);
        }
        Ok((size, hex::encode(sha256.finalize())))
    }

    /// Copies a blob to another directory, durably and under the same id. Gives size and SHA-256 of what was copied.
    pub(crate) async fn copy_to(&self, id: &BlobId, other: &Self) -> Result<(u64, String), BlobError> {
        let mut bytes = self.read(id, None).await?;
        let mut writer = BlobWriter::begin(id.clone(), other)?;
        let (mut size, mut sha256) = (0, Sha256::new());
        while let Some(chunk) = bytes.try_next().await? {
            size += chunk.len() as u64;
            sha256.update(&chunk);
            writer.write(vec![chunk]).await?;
        }
        writer.finish(Vec::new()).await?;
        Ok((size, hex::encode(sha256.finalize())))
    }

    /// Where a finished blob lies.
    pub(crate) fn place(&self, id: &BlobId) -> PathBuf {
        self.root.join(id.folder()).join(id.as_str())
    }
}

/// Makes what is missing, syncs the folders that name it, and closes to others what an earlier version left open.
fn make_folders(root: &OsPath) -> std::io::Result<()> {
    if private::is_open(root)? {
        tighten_tree(root)?;
    }
    let folders: Vec<_> = "0123456789abcdef".chars().map(|digit| root.join(digit.to_string())).collect();
    if folders.iter().all(|folder| folder.is_dir()) {
        return Ok(());
    }
    folders.iter().try_for_each(|folder| private::folder_builder().create(folder))?;
    [Some(root), root.parent()].into_iter().flatten().try_for_each(|parent| std::fs::File::open(parent)?.sync_all())
}

/// Each folder after what is in it, so that one that is closed has nothing open in it.
fn tighten_tree(folder: &OsPath) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            tighten_tree(&entry.path())?;
        } else if entry.file_type()?.is_file() {
            private::tighten(&entry.path())?;
        }
    }
    private::tighten(folder)
}

fn failed(source: std::io::Error) -> BlobError {
    BlobError::Generic { store: "blobs", source: Box::new(source) }
}

/// A blob being written. Dropped before `finish`, it leaves nothing.
pub(crate) struct BlobWriter {
    id: BlobId,
    blobs: Blobs,
    /// None after a write that failed.
    part: Option<Part>,
}

impl BlobWriter {
    fn begin(id: BlobId, blobs: &Blobs) -> Result<Self, BlobError> {
        let part = Part::make(blobs.place(&id)).map_err(failed)?;
        Ok(Self { id, blobs: blobs.clone(), part: Some(part) })
    }

    pub(crate) async fn write(&mut self, chunks: Vec<Bytes>) -> Result<(), BlobError> {
        let part = self.at_the_disk(move |mut part| part.write(&chunks).map(|()| part)).await?;
        self.part = Some(part);
        Ok(())
    }

    /// Writes the last chunks, syncs the bytes, gives the blob its name and syncs the folder: it is durable when this
    /// returns. All at once, so that a small blob takes one way to the threads that may wait for the disk.
    pub(crate) async fn finish(mut self, chunks: Vec<Bytes>) -> Result<BlobId, BlobError> {
        self.at_the_disk(move |mut part| part.write(&chunks).and_then(|()| part.name())).await?;
        Ok(self.id)
    }

    async fn at_the_disk<T: Send + 'static>(
        &mut self,
        work: impl FnOnce(Part) -> std::io::Result<T> + Send + 'static,
    ) -> Result<T, BlobError> {
        self.blobs.check_room().await?;
        let part = self.part.take().ok_or_else(|| failed(std::io::Error::other("an earlier write failed")))?;
        let done = tokio::task::spawn_blocking(move || work(part)).await;
        done.map_err(|source| BlobError::JoinError { source })?.map_err(failed)
    }
}
