//! Bytes on disk, each under a random id: one blob for a version of a file, never shared, never under a user's name.
//! Knows nothing of files, folders or the database.

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use std::path::{Path as OsPath, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use futures::TryStreamExt as _;
use futures::stream::BoxStream;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{GetOptions, GetRange, MultipartUpload, ObjectStore, ObjectStoreExt as _, PutPayload};
use sha2::{Digest as _, Sha256};

/// A failure of the disk.
pub(crate) type BlobError = object_store::Error;

/// Names a blob: 32 random hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct BlobId(String);

impl BlobId {
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
    root: PathBuf,
}

impl fmt::Debug for Blobs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Blobs").field("root", &self.root).finish_non_exhaustive()
    }
}

impl Blobs {
    /// Opens the directory, and makes it durably if it is not there.
    pub(crate) fn open(root: &OsPath) -> Result<Self, BlobError> {
        make_folders(root).map_err(|error| BlobError::Generic { store: "blobs", source: Box::new(error) })?;
        Self::at(root)
    }

    /// Opens the directory as it is.
    pub(crate) fn at(root: &OsPath) -> Result<Self, BlobError> {
        let files = LocalFileSystem::new_with_prefix(root)?.with_fsync(true);
        Ok(Self { files: Arc::new(files), root: root.to_owned() })
    }

    /// Starts a new blob. Dropped before `finish`, it leaves nothing.
    pub(crate) async fn create(&self) -> Result<BlobWriter, BlobError> {
        let id = BlobId::random();
        let upload = self.files.put_multipart(&id.path()).await?;
        Ok(BlobWriter { id, upload })
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
        let mut upload = other.files.put_multipart(&id.path()).await?;
        let (mut size, mut sha256) = (0, Sha256::new());
        while let Some(chunk) = bytes.try_next().await? {
            size += chunk.len() as u64;
            sha256.update(&chunk);
            upload.put_part(chunk.into()).await?;
        }
        upload.complete().await?;
        Ok((size, hex::encode(sha256.finalize())))
    }

    /// Removes every blob that is not named, and what unfinished writes left, and puts every other one into its place.
    /// Files that are no blobs stay. Only where nothing is being written. Returns how many files went.
    pub(crate) async fn keep_only(&self, named: HashSet<BlobId>) -> std::io::Result<usize> {
        let root = self.root.clone();
        let sweep = move || {
            let mut removed = 0;
            visit(&root, &mut |path, blob| {
                if !named.contains(&blob) {
                    removed += 1;
                    return std::fs::remove_file(path);
                }
                let place = root.join(blob.folder()).join(blob.as_str());
                if path == place { Ok(()) } else { std::fs::rename(path, place) }
            })?;
            Ok(removed)
        };
        tokio::task::spawn_blocking(sweep).await.map_err(std::io::Error::other)?
    }

    /// How many blobs are not named, with what unfinished writes left.
    pub(crate) async fn unnamed(&self, named: HashSet<BlobId>) -> std::io::Result<usize> {
        let root = self.root.clone();
        let search = move || {
            let mut found = 0;
            visit(&root, &mut |_, blob| {
                found += usize::from(!named.contains(&blob));
                Ok(())
            })?;
            Ok(found)
        };
        tokio::task::spawn_blocking(search).await.map_err(std::io::Error::other)?
    }
}

/// Makes what is missing, and syncs the folders that name it.
fn make_folders(root: &OsPath) -> std::io::Result<()> {
    let folders: Vec<_> = "0123456789abcdef".chars().map(|digit| root.join(digit.to_string())).collect();
    if folders.iter().all(|folder| folder.is_dir()) {
        return Ok(());
    }
    folders.iter().try_for_each(std::fs::create_dir_all)?;
    [Some(root), root.parent()].into_iter().flatten().try_for_each(|parent| std::fs::File::open(parent)?.sync_all())
}

/// Shows every blob below the folder, and what unfinished writes left: those are named as a blob, with a mark behind.
fn visit(folder: &OsPath, see: &mut impl FnMut(&OsPath, BlobId) -> std::io::Result<()>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            visit(&entry.path(), see)?;
        } else if let Some(name) = entry.file_name().to_str().filter(|name| is_blob(name)) {
            see(&entry.path(), BlobId(name.to_owned()))?;
        }
    }
    Ok(())
}

fn is_blob(file_name: &str) -> bool {
    let id = file_name.split('#').next().unwrap_or_default();
    id.len() == 32 && id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// A blob being written.
pub(crate) struct BlobWriter {
    id: BlobId,
    upload: Box<dyn MultipartUpload>,
}

impl BlobWriter {
    pub(crate) async fn write(&mut self, bytes: PutPayload) -> Result<(), BlobError> {
        self.upload.put_part(bytes).await
    }

    /// Syncs the bytes, gives the blob its name and syncs the folder: it is durable when this returns.
    pub(crate) async fn finish(mut self) -> Result<BlobId, BlobError> {
        self.upload.complete().await?;
        Ok(self.id)
    }
}
