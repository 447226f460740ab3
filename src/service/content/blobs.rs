//! The bytes of files as streams, created, written, read and removed in the same way wherever they
//! are stored. Knows nothing of files, folders or the database.

use std::collections::HashSet;
use std::io;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;

pub(crate) use super::blob::{
    BLOCK_BYTES, BlobId, BlobUpload, BlockSums, ContentDigest, SumBuilder, Sums, blocks_of,
    is_damage, places,
};
#[cfg(feature = "s3")]
pub(crate) use super::bucket::BlobBucket;
#[cfg(feature = "s3")]
use super::bucket::{BucketReader, BucketWriter, is_unanswered};
pub(crate) use super::directory::{BlobDirectory, BlobFile, BlobNames, BlobStage};
use super::directory::{DirectoryReader, DirectoryWriter};
#[cfg(feature = "s3")]
use crate::service::policy;

#[derive(Clone)]
pub(crate) struct Blobs {
    place: Place,
    /// Blobs of the sample library, which a reset needs.
    kept: Arc<OnceLock<HashSet<BlobId>>>,
}

#[derive(Clone)]
enum Place {
    Directory(BlobDirectory),
    #[cfg(feature = "s3")]
    Bucket(BlobBucket),
}

impl From<BlobDirectory> for Blobs {
    fn from(directory: BlobDirectory) -> Self {
        Self {
            place: Place::Directory(directory),
            kept: Arc::default(),
        }
    }
}

#[cfg(feature = "s3")]
impl From<BlobBucket> for Blobs {
    fn from(bucket: BlobBucket) -> Self {
        Self {
            place: Place::Bucket(bucket),
            kept: Arc::default(),
        }
    }
}

impl Blobs {
    /// Returns the directory; `None` if the blobs are stored elsewhere.
    #[cfg_attr(
        not(feature = "s3"),
        expect(clippy::unnecessary_wraps, reason = "as with buckets")
    )]
    pub(crate) fn directory(&self) -> Option<&BlobDirectory> {
        match &self.place {
            Place::Directory(directory) => Some(directory),
            #[cfg(feature = "s3")]
            Place::Bucket(_) => None,
        }
    }

    /// Returns the size limit of a blob, if the storage has one.
    pub(crate) fn largest(&self) -> Option<u64> {
        match &self.place {
            Place::Directory(_) => None,
            #[cfg(feature = "s3")]
            Place::Bucket(_) => Some(policy::BUCKET_OBJECT_BYTES),
        }
    }

    /// Returns the names that show if the row of a blob is committed; `None` for a bucket, whose
    /// objects keep one name.
    pub(crate) fn names(&self) -> Option<BlobNames> {
        self.directory().map(|directory| directory.names.clone())
    }

    /// Fails if the bytes are stored elsewhere and the server does not respond.
    #[cfg_attr(
        not(feature = "s3"),
        expect(clippy::unused_async, reason = "as with a bucket")
    )]
    pub(crate) async fn check_reach(&self) -> io::Result<()> {
        match &self.place {
            Place::Directory(_) => Ok(()),
            #[cfg(feature = "s3")]
            Place::Bucket(bucket) => bucket.check_reach().await,
        }
    }

    /// Protects these blobs from removal. Only the first call has an effect.
    pub(crate) fn keep(&self, blobs: HashSet<BlobId>) {
        self.kept.get_or_init(|| blobs);
    }

    /// Starts a new blob, summed by `sums`. If the writer is dropped before `finish`, nothing is
    /// left of it.
    pub(crate) async fn create(&self, id: BlobId, sums: SumBuilder) -> io::Result<BlobWriter> {
        match &self.place {
            Place::Directory(directory) => {
                directory.create(id, sums).await.map(BlobWriter::Directory)
            }
            #[cfg(feature = "s3")]
            Place::Bucket(bucket) => bucket.create(&id, sums).map(BlobWriter::Bucket),
        }
    }

    /// Reads all bytes without checking them.
    fn read(&self, id: &BlobId) -> BlobReader {
        match &self.place {
            Place::Directory(directory) => BlobReader::Directory(directory.read(id)),
            #[cfg(feature = "s3")]
            Place::Bucket(bucket) => BlobReader::Bucket(bucket.read(id)),
        }
    }

    /// Reads a part of a blob of `size` bytes; `sums` are those of the blocks that hold it. Fails
    /// with an error for which `is_damage` holds if a block is not as it was stored.
    pub(crate) fn read_part(
        &self,
        id: &BlobId,
        size: u64,
        part: Range<u64>,
        sums: BlockSums,
    ) -> BlobReader {
        match &self.place {
            Place::Directory(directory) => {
                BlobReader::Directory(directory.read_part(id, size, part, sums))
            }
            #[cfg(feature = "s3")]
            Place::Bucket(bucket) => BlobReader::Bucket(bucket.read_part(id, size, part, sums)),
        }
    }

    /// Reads and checks a blob of one block.
    pub(crate) async fn read_block(
        &self,
        id: &BlobId,
        size: u64,
        digest: ContentDigest,
    ) -> io::Result<Bytes> {
        match &self.place {
            Place::Directory(directory) => directory.read_block(id, size, digest).await,
            #[cfg(feature = "s3")]
            Place::Bucket(bucket) => bucket.read_block(id, size, &digest).await,
        }
    }

    /// Computes the sums of the bytes, for comparison with this digest.
    pub(crate) async fn sums(&self, id: &BlobId, like: &ContentDigest) -> io::Result<Sums> {
        let (mut bytes, mut sums) = (self.read(id), SumBuilder::like(like));
        while let Some(chunk) = bytes.next().await? {
            sums.add(&chunk);
        }
        Ok(sums.finish())
    }

    /// Copies a blob durably to another place, under a given id. Returns the sums of the copied
    /// bytes, for comparison with this digest; or, as an inner error, the reason why the blob
    /// cannot be read.
    ///
    /// # Errors
    ///
    /// Fails if the copy cannot be written.
    pub(crate) async fn copy(
        &self,
        id: &BlobId,
        (to, new): (&Self, BlobId),
        like: &ContentDigest,
    ) -> io::Result<io::Result<Sums>> {
        let mut bytes = self.read(id);
        let mut writer = to.create(new, SumBuilder::like(like)).await?;
        loop {
            match bytes.next().await {
                Ok(Some(chunk)) => writer.write(chunk).await?,
                Ok(None) => return writer.finish(Bytes::new()).await.map(|(sums, _)| Ok(sums)),
                Err(error) => return Ok(Err(error)),
            }
        }
    }

    /// Returns the blobs that are stored, by number to save memory; in a directory, those whose
    /// rows were committed. Earlier versions let several stores share a bucket.
    pub(crate) async fn list(&self) -> io::Result<HashSet<u128>> {
        match &self.place {
            Place::Directory(directory) => Ok(directory.list().await?.finals.into_iter().collect()),
            #[cfg(feature = "s3")]
            Place::Bucket(bucket) => bucket.list().await,
        }
    }

    /// Returns the path of a blob whose row was committed, or the key of its object.
    pub(crate) fn location(&self, id: &BlobId) -> String {
        match &self.place {
            Place::Directory(directory) => directory
                .names
                .path(id, BlobStage::Final)
                .display()
                .to_string(),
            #[cfg(feature = "s3")]
            Place::Bucket(bucket) => bucket.key(id).to_string(),
        }
    }

    /// Removes blobs durably. Blobs that do not exist count as removed.
    pub(crate) async fn remove(&self, mut blobs: Vec<BlobId>) -> io::Result<()> {
        if let Some(kept) = self.kept.get() {
            blobs.retain(|id| !kept.contains(id));
        }
        match &self.place {
            Place::Directory(directory) => directory.remove(blobs).await,
            #[cfg(feature = "s3")]
            Place::Bucket(bucket) => bucket.remove(&blobs).await,
        }
    }

    pub(crate) async fn discard(&self, id: BlobId) -> io::Result<()> {
        match &self.place {
            Place::Directory(directory) => directory.discard(id).await,
            #[cfg(feature = "s3")]
            Place::Bucket(bucket) => bucket.remove(&[id]).await,
        }
    }
}

/// A blob that is being written. If it is dropped before `finish`, nothing is left of it.
pub(crate) enum BlobWriter {
    Directory(DirectoryWriter),
    #[cfg(feature = "s3")]
    Bucket(BucketWriter),
}

impl BlobWriter {
    /// May return before the bytes are written; a failure is then reported by the next call.
    pub(crate) async fn write(&mut self, bytes: Bytes) -> io::Result<()> {
        match self {
            Self::Directory(writer) => writer.write(bytes).await,
            #[cfg(feature = "s3")]
            Self::Bucket(writer) => writer.write(bytes).await,
        }
    }

    /// Writes the last bytes. The blob is durable when this returns.
    pub(crate) async fn finish(self, bytes: Bytes) -> io::Result<(Sums, Option<BlobUpload>)> {
        match self {
            Self::Directory(writer) => writer
                .finish(bytes)
                .await
                .map(|(sums, upload)| (sums, Some(upload))),
            #[cfg(feature = "s3")]
            Self::Bucket(writer) => writer.finish(bytes).await.map(|sums| (sums, None)),
        }
    }
}

/// Returns `true` if the bytes may still appear after this failure to finish a blob.
#[cfg(feature = "s3")]
pub(crate) fn may_come_late(error: &io::Error) -> bool {
    is_unanswered(error)
}

/// In a directory nothing goes on after a failure.
#[cfg(not(feature = "s3"))]
pub(crate) fn may_come_late(_: &io::Error) -> bool {
    false
}

pub(crate) enum BlobReader {
    Directory(DirectoryReader),
    #[cfg(feature = "s3")]
    Bucket(BucketReader),
}

impl BlobReader {
    /// Returns the next bytes; `None` at the end.
    pub(crate) async fn next(&mut self) -> io::Result<Option<Bytes>> {
        match self {
            Self::Directory(reader) => reader.next().await,
            #[cfg(feature = "s3")]
            Self::Bucket(reader) => reader.next().await,
        }
    }
}
