//! Bytes on disk, each under a random id: one blob for a version of a file, never shared, never under a user's name.
//! Knows nothing of files, folders or the database.

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use std::path::{Path as OsPath, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use futures::stream::BoxStream;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{GetOptions, GetRange, MultipartUpload, ObjectStore, ObjectStoreExt as _, PutPayload};

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

    /// Two levels of folders keep each of them small.
    fn path(&self) -> Path {
        let folder = self.0.get(..2).unwrap_or("__");
        Path::from_iter([folder, self.0.get(2..4).unwrap_or("__"), self.0.as_str()])
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
    /// Opens the directory, and makes it if it is not there.
    pub(crate) fn open(root: &OsPath) -> Result<Self, BlobError> {
        std::fs::create_dir_all(root)
            .map_err(|error| BlobError::Generic { store: "blobs", source: Box::new(error) })?;
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

    /// Removes every blob that is not named, and what unfinished writes left. Only for the start, before anything is
    /// written. Returns how many files went.
    pub(crate) async fn keep_only(&self, named: HashSet<BlobId>) -> std::io::Result<u64> {
        let root = self.root.clone();
        tokio::task::spawn_blocking(move || sweep(&root, &named)).await.map_err(std::io::Error::other)?
    }
}

fn sweep(folder: &OsPath, named: &HashSet<BlobId>) -> std::io::Result<u64> {
    let mut removed = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            removed += sweep(&entry.path(), named)?;
            continue;
        }
        let is_named = entry.file_name().to_str().is_some_and(|name| named.contains(&BlobId(name.to_owned())));
        if !is_named {
            std::fs::remove_file(entry.path())?;
            removed += 1;
        }
    }
    Ok(removed)
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
