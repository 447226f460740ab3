//! The bytes of files as streams, wherever they lie: begun, written, read and removed in the same way. Knows nothing of files,
//! folders or the database.

use std::collections::HashSet;
use std::io;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;

pub(crate) use super::blob::{
    BLOCK_BYTES, BlobId, BlobUpload, BlockSums, ContentDigest, SumBuilder, Sums, blocks_of, is_damage, places,
};
#[cfg(feature = "s3")]
pub(crate) use super::bucket::BlobBucket;
#[cfg(feature = "s3")]
use super::bucket::{BucketReader, BucketWriter, is_unanswered};
pub(crate) use super::directory::{BlobDirectory, BlobFile, BlobNames, BlobStage};
use super::directory::{DirectoryReader, DirectoryWriter};
#[cfg(feature = "s3")]
use crate::service::policy;

/// Cheap to clone.
#[derive(Clone)]
pub(crate) struct Blobs {
    place: Place,
    /// Blobs of the sample, which a reset needs.
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
        Self { place: Place::Directory(directory), kept: Arc::default() }
    }
}

#[cfg(feature = "s3")]
impl From<BlobBucket> for Blobs {
    fn from(bucket: BlobBucket) -> Self {
        Self { place: Place::Bucket(bucket), kept: Arc::default() }
    }
}

impl Blobs {
    /// The directory; none where the blobs lie elsewhere.
    #[cfg_attr(not(feature = "s3"), expect(clippy::unnecessary_wraps, reason = "as with buckets"))]
    pub(crate) fn directory(&self) -> Option<&BlobDirectory> {
        match &self.place {
            Place::Directory(directory) => Some(directory),
            #[cfg(feature = "s3")]
            Place::Bucket(_) => None,
        }
    }

    /// The size of the largest blob that the place takes, where it has a bound.
    pub(crate) fn largest(&self) -> Option<u64> {
        match &self.place {
            Place::Directory(_) => None,
            #[cfg(feature = "s3")]
            Place::Bucket(_) => Some(policy::BUCKET_OBJECT_BYTES),
        }
    }

    /// The names that say of a blob whether its row is committed; none where objects have one name from the start.
    pub(crate) fn names(&self) -> Option<BlobNames> {
        self.directory().map(|directory| directory.names.clone())
    }

    /// Fails where the place of the bytes is elsewhere and does not answer.
    #[cfg_attr(not(feature = "s3"), expect(clippy::unused_async, reason = "as with a bucket"))]
    pub(crate) async fn check_reach(&self) -> io::Result<()> {
        match &self.place {
            Place::Directory(_) => Ok(()),
            #[cfg(feature = "s3")]
            Place::Bucket(bucket) => bucket.check_reach().await,
        }
    }

    /// Never removes these blobs. Of several sets the first one counts.
    pub(crate) fn keep(&self, blobs: HashSet<BlobId>) {
        self.kept.get_or_init(|| blobs);
    }

    /// Starts a new blob, whose bytes are summed so. Dropped before `finish`, it leaves nothing.
    pub(crate) async fn create(&self, id: BlobId, sums: SumBuilder) -> io::Result<BlobWriter> {
        match &self.place {
            Place::Directory(directory) => directory.create(id, sums).await.map(BlobWriter::Directory),
            #[cfg(feature = "s3")]
            Place::Bucket(bucket) => Ok(BlobWriter::Bucket(bucket.create(&id, sums))),
        }
    }

    /// All bytes as they are.
    fn read(&self, id: &BlobId) -> BlobReader {
        match &self.place {
            Place::Directory(directory) => BlobReader::Directory(directory.read(id)),
            #[cfg(feature = "s3")]
            Place::Bucket(bucket) => BlobReader::Bucket(bucket.read(id)),
        }
    }

    /// A part of a blob of `size` bytes, as it was stored; `sums` are those of the blocks that hold it. A block that is
    /// not as it was stored is a failure that `is_damage` knows.
    pub(crate) fn read_part(&self, id: &BlobId, size: u64, part: Range<u64>, sums: BlockSums) -> BlobReader {
        match &self.place {
            Place::Directory(directory) => BlobReader::Directory(directory.read_part(id, size, part, sums)),
            #[cfg(feature = "s3")]
            Place::Bucket(bucket) => BlobReader::Bucket(bucket.read_part(id, size, part, sums)),
        }
    }

    /// All bytes of a blob of one block, as they were stored.
    pub(crate) async fn read_block(&self, id: &BlobId, size: u64, digest: ContentDigest) -> io::Result<Bytes> {
        match &self.place {
            Place::Directory(directory) => directory.read_block(id, size, digest).await,
            #[cfg(feature = "s3")]
            Place::Bucket(bucket) => bucket.read_block(id, size, &digest).await,
        }
    }

    /// The sums of the bytes as they are, to be held against this digest.
    pub(crate) async fn sums(&self, id: &BlobId, like: &ContentDigest) -> io::Result<Sums> {
        let (mut bytes, mut sums) = (self.read(id), SumBuilder::like(like));
        while let Some(chunk) = bytes.next().await? {
            sums.add(&chunk);
        }
        Ok(sums.finish())
    }

    /// Copies a blob to any place, durably and under this id there. Gives the sums of what was copied, to be held against
    /// this digest; or why the blob cannot be read.
    ///
    /// # Errors
    ///
    /// Where the copy cannot be written.
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

    /// Removes blobs durably. Those that are gone already count as removed.
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

    /// Removes a blob that no row ever named.
    pub(crate) async fn discard(&self, id: BlobId) -> io::Result<()> {
        match &self.place {
            Place::Directory(directory) => directory.discard(id).await,
            #[cfg(feature = "s3")]
            Place::Bucket(bucket) => bucket.remove(&[id]).await,
        }
    }
}

/// A blob that is being written. Dropped before `finish`, it leaves nothing.
pub(crate) enum BlobWriter {
    Directory(DirectoryWriter),
    #[cfg(feature = "s3")]
    Bucket(BucketWriter),
}

impl BlobWriter {
    /// May return before they are written. The next call reports what goes wrong then.
    pub(crate) async fn write(&mut self, bytes: Bytes) -> io::Result<()> {
        match self {
            Self::Directory(writer) => writer.write(bytes).await,
            #[cfg(feature = "s3")]
            Self::Bucket(writer) => writer.write(bytes).await,
        }
    }

    /// Writes the last bytes: the blob is durable when this returns.
    pub(crate) async fn finish(self, bytes: Bytes) -> io::Result<(Sums, Option<BlobUpload>)> {
        match self {
            Self::Directory(writer) => writer.finish(bytes).await.map(|(sums, upload)| (sums, Some(upload))),
            #[cfg(feature = "s3")]
            Self::Bucket(writer) => writer.finish(bytes).await.map(|sums| (sums, None)),
        }
    }
}

/// Whether the bytes may come to be there after this failure to finish a blob, also later.
#[cfg(feature = "s3")]
pub(crate) fn may_come_late(error: &io::Error) -> bool {
    is_unanswered(error)
}

/// A directory has nothing that a failure has not ended.
#[cfg(not(feature = "s3"))]
pub(crate) fn may_come_late(_: &io::Error) -> bool {
    false
}

/// A blob that is being read.
pub(crate) enum BlobReader {
    Directory(DirectoryReader),
    #[cfg(feature = "s3")]
    Bucket(BucketReader),
}

impl BlobReader {
    /// The next bytes; none at the end.
    pub(crate) async fn next(&mut self) -> io::Result<Option<Bytes>> {
        match self {
            Self::Directory(reader) => reader.next().await,
            #[cfg(feature = "s3")]
            Self::Bucket(reader) => reader.next().await,
        }
    }
}
