//! Bytes in a bucket of S3 or of a server with its API: one object per blob. An object has its
//! final name from the start, so its writer must list it as pending first.

mod address;
mod calls;
mod checks;
mod fault;
mod http;
mod mark;
mod options;
mod reader;
mod writer;
mod xml;

use std::collections::HashSet;
use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use bytes::Bytes;
use futures::{TryStreamExt as _, stream};
use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey, Checksum};
use object_store::path::Path;
use object_store::{
    BackoffConfig, GetOptions, GetRange, ObjectMeta, ObjectStore as _, ObjectStoreExt as _,
    RetryConfig,
};
use tokio::sync::Mutex;

pub use address::{BucketAddress, BucketAddressError};
use calls::BucketCalls;
pub(crate) use fault::{BucketFault, is_unanswered};
use http::BucketConnector;
pub(crate) use mark::BucketOwner;
pub use options::BucketOptions;
pub(crate) use reader::BucketReader;
pub(crate) use writer::BucketWriter;

use super::blob::{
    BLOCK_BYTES, BlobId, BlockSums, BlockWindow, ContentDigest, SumBuilder, blocks_of, damaged,
};
use super::reserve::DiskReserve;
use crate::service::policy;

const REMOVED_AT_ONCE: usize = 8;

#[derive(Clone)]
pub(crate) struct BlobBucket {
    s3: Arc<AmazonS3>,
    prefix: Path,
    /// Removes all versions of an object; `None` if the bucket keeps none.
    versions: Option<BucketCalls>,
    last_reach: Arc<Mutex<Option<Reach>>>,
    ownership: Arc<Ownership>,
    /// The disk on which the parts of uploads are gathered.
    room: Option<DiskReserve>,
}

/// The store for which a bucket is open; none if it is only read.
#[derive(Debug, Default)]
struct Ownership {
    identity: Option<String>,
    /// Set while the mark of the bucket names another store.
    is_lost: AtomicBool,
}

/// The last answer of a bucket to a probe.
#[derive(Debug)]
struct Reach {
    at: Instant,
    failure: Option<String>,
}

impl BlobBucket {
    /// Connects to a bucket and tries all operations that the service will need. Refuses a bucket
    /// that belongs to another store.
    pub(crate) async fn open(
        options: &BucketOptions,
        owner: BucketOwner,
    ) -> Result<Self, BucketFault> {
        let mut bucket = Self::connect(options)?;
        let calls = BucketCalls::of(&bucket.s3, options).await?;
        checks::use_once(&bucket.s3, &calls, &bucket.prefix).await?;
        mark::claim(&bucket.s3, &bucket.prefix, &owner).await?;
        bucket.ownership = Arc::new(Ownership {
            identity: Some(owner.identity),
            ..Ownership::default()
        });
        if checks::keeps_versions(&calls).await {
            checks::remove_versions(&calls, &bucket.prefix).await?;
            bucket.versions = Some(calls);
        }
        Ok(bucket)
    }

    pub(crate) fn gathering_on(self, room: DiskReserve) -> Self {
        Self {
            room: Some(room),
            ..self
        }
    }

    pub(crate) async fn open_to_read(options: &BucketOptions) -> Result<Self, BucketFault> {
        let bucket = Self::connect(options)?;
        mark::is_there(&bucket.s3, &bucket.prefix).await?;
        Ok(bucket)
    }

    /// Makes a store the owner of its bucket. Returns `false` if it was that already.
    pub(crate) async fn adopt(
        options: &BucketOptions,
        identity: &str,
    ) -> Result<bool, BucketFault> {
        let bucket = Self::connect(options)?;
        mark::adopt(&bucket.s3, &bucket.prefix, identity).await
    }

    fn connect(options: &BucketOptions) -> Result<Self, BucketFault> {
        options.check()?;
        let retry = RetryConfig {
            backoff: BackoffConfig {
                max_backoff: policy::BUCKET_BACKOFF,
                ..BackoffConfig::default()
            },
            max_retries: policy::BUCKET_RETRIES,
            retry_timeout: options.patience,
        };
        let known = options.settings.iter().filter_map(|(name, value)| {
            let key = name
                .to_ascii_lowercase()
                .parse::<AmazonS3ConfigKey>()
                .ok()?;
            Some((key, value))
        });
        let builder = known.fold(AmazonS3Builder::new(), |builder, (key, value)| {
            builder.with_config(key, value)
        });
        let s3 = builder
            .with_bucket_name(options.address.bucket())
            .with_checksum_algorithm(Checksum::SHA256)
            // Not every server supports it, and only a few objects are removed at a time.
            .with_disable_bulk_delete(true)
            .with_retry(retry)
            .with_http_connector(BucketConnector::of(options))
            .build()
            .map_err(BucketFault::Settings)?;
        Ok(Self {
            s3: Arc::new(s3),
            prefix: Path::from(options.address.prefix()),
            versions: None,
            last_reach: Arc::default(),
            ownership: Arc::default(),
            room: None,
        })
    }

    pub(crate) fn key(&self, id: &BlobId) -> Path {
        self.prefix
            .clone()
            .join(id.as_str().get(..1).unwrap_or("_"))
            .join(id.as_str())
    }

    /// Starts a new blob, which must be listed as pending. If the writer is dropped before
    /// `finish`, nothing is left except parts that arrive at the server too late. Fails if the
    /// bucket was seen to belong to another store.
    pub(crate) fn create(&self, id: &BlobId, sums: SumBuilder) -> io::Result<BucketWriter> {
        if self.ownership.is_lost.load(Ordering::Relaxed) {
            return Err(fault::not_owned());
        }
        let file = self
            .room
            .as_ref()
            .map_or_else(tempfile::tempfile, DiskReserve::unnamed_file)?;
        Ok(BucketWriter::begin(
            self.s3.clone(),
            self.key(id),
            sums,
            file,
        ))
    }

    pub(crate) fn read(&self, id: &BlobId) -> BucketReader {
        let window = BlockWindow::of(0..u64::MAX, u64::MAX, None);
        BucketReader::begin(self.s3.clone(), self.key(id), None, window)
    }

    pub(crate) fn read_part(
        &self,
        id: &BlobId,
        size: u64,
        part: Range<u64>,
        sums: BlockSums,
    ) -> BucketReader {
        let blocks = blocks_of(&part);
        let range =
            GetRange::Bounded(blocks.start * BLOCK_BYTES..(blocks.end * BLOCK_BYTES).min(size));
        BucketReader::begin(
            self.s3.clone(),
            self.key(id),
            Some(range),
            BlockWindow::of(part, size, Some(sums)),
        )
    }

    pub(crate) async fn read_block(
        &self,
        id: &BlobId,
        size: u64,
        digest: &ContentDigest,
    ) -> io::Result<Bytes> {
        let found = self
            .s3
            .get_opts(&self.key(id), GetOptions::default())
            .await
            .map_err(fault::unread)?;
        if found.meta.size != size {
            return Err(damaged());
        }
        let bytes = found.bytes().await.map_err(fault::unread)?;
        let mut sums = SumBuilder::like(digest);
        sums.add(&bytes);
        if sums.finish().are_of(digest) {
            Ok(bytes)
        } else {
            Err(damaged())
        }
    }

    /// Asks the bucket, or returns its last answer if that is less than a second old: anyone may
    /// send probes.
    pub(crate) async fn check_reach(&self) -> io::Result<()> {
        let mut last = self.last_reach.lock().await;
        let recent = last
            .take()
            .filter(|reach| reach.at.elapsed() < policy::BUCKET_ASKED_EVERY);
        let reach = if let Some(reach) = recent {
            reach
        } else {
            let answered = mark::answers(&self.s3, &self.prefix)
                .await
                .map_err(fault::unread);
            Reach {
                at: Instant::now(),
                failure: answered.err().map(|error| error.to_string()),
            }
        };
        last.insert(reach)
            .failure
            .clone()
            .map_or(Ok(()), |failure| Err(io::Error::other(failure)))
    }

    /// Returns the objects that are named like a blob, by number.
    pub(crate) async fn list(&self) -> io::Result<HashSet<u128>> {
        let found = self.s3.list(Some(&self.prefix)).map_err(fault::unread);
        let blob = async |object: ObjectMeta| {
            let id = object.location.filename().and_then(BlobId::parse);
            Ok(id
                .filter(|id| self.key(id) == object.location)
                .and_then(|id| id.number()))
        };
        found.try_filter_map(blob).try_collect().await
    }

    /// Removes objects, with all versions if the bucket keeps them. Objects that do not exist count
    /// as removed. Removes nothing unless the bucket's mark still names this store.
    pub(crate) async fn remove(&self, blobs: &[BlobId]) -> io::Result<()> {
        self.check_ownership().await?;
        let keys = stream::iter(blobs.iter().map(|id| Ok(self.key(id))));
        keys.try_for_each_concurrent(REMOVED_AT_ONCE, |key| self.remove_object(key))
            .await
    }

    async fn check_ownership(&self) -> io::Result<()> {
        let Some(identity) = &self.ownership.identity else {
            return Err(fault::not_owned());
        };
        let is_owner = mark::is_owner(&self.s3, &self.prefix, identity).await?;
        self.ownership.is_lost.store(!is_owner, Ordering::Relaxed);
        if is_owner {
            Ok(())
        } else {
            Err(fault::not_owned())
        }
    }

    async fn remove_object(&self, key: Path) -> io::Result<()> {
        if let Some(versions) = &self.versions {
            return versions.remove(key).await;
        }
        match self.s3.delete(&key).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(fault::unreached(error)),
        }
    }
}
