//! Bytes that arrive, on their way to the disk: written and hashed as they come, so that memory does not grow with the
//! size. Whose bytes they are is not known here.

use bytes::Bytes;
use md5::Md5;
use object_store::PutPayload;
use sha2::{Digest as _, Sha256};

use crate::service::blobs::{BlobError, BlobId, BlobWriter, Blobs};
use crate::service::disk::is_disk_full;
use crate::service::error::ApiError;
use crate::service::policy;

/// How many of the first bytes are kept to look into.
pub(crate) const HEAD_BYTES: usize = 64 * 1024;
/// Small chunks are gathered to writes of this size.
const WRITE_BYTES: usize = 256 * 1024;

/// Takes the bytes of one file. Dropped before `finish`, it leaves nothing on the disk.
pub(crate) struct Spool {
    blobs: Blobs,
    writer: BlobWriter,
    waiting: Vec<Bytes>,
    waiting_bytes: usize,
    head: Vec<u8>,
    md5: Md5,
    sha256: Sha256,
    size: u64,
    limit: u64,
}

/// Why bytes could not be spooled.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SpoolError {
    #[error("the file is larger than {limit} bytes")]
    TooLarge { limit: u64 },
    #[error("the bytes could not be written")]
    Disk(#[from] BlobError),
}

impl From<SpoolError> for ApiError {
    fn from(error: SpoolError) -> Self {
        match &error {
            SpoolError::TooLarge { .. } => {
                Self::new(policy::OVER_SIZE, error.to_string()).with_category("VALIDATION_ERROR")
            }
            SpoolError::Disk(cause) if is_disk_full(cause) => Self::disk_full(),
            SpoolError::Disk(cause) => Self::internal("write a blob", cause),
        }
    }
}

impl Spool {
    /// Starts a file of `limit` bytes at most.
    pub(crate) async fn open(blobs: &Blobs, limit: u64) -> Result<Self, SpoolError> {
        Ok(Self {
            writer: blobs.create().await?,
            blobs: blobs.clone(),
            waiting: Vec::new(),
            waiting_bytes: 0,
            head: Vec::new(),
            md5: Md5::new(),
            sha256: Sha256::new(),
            size: 0,
            limit,
        })
    }

    pub(crate) async fn write(&mut self, chunk: Bytes) -> Result<(), SpoolError> {
        self.size += chunk.len() as u64;
        if self.size > self.limit {
            return Err(SpoolError::TooLarge { limit: self.limit });
        }
        self.md5.update(&chunk);
        self.sha256.update(&chunk);
        let missing = HEAD_BYTES.saturating_sub(self.head.len());
        self.head.extend(chunk.iter().take(missing));
        self.waiting_bytes += chunk.len();
        self.waiting.push(chunk);
        if self.waiting_bytes >= WRITE_BYTES { self.flush().await } else { Ok(()) }
    }

    async fn flush(&mut self) -> Result<(), SpoolError> {
        self.waiting_bytes = 0;
        let chunks = std::mem::take(&mut self.waiting);
        Ok(self.writer.write(PutPayload::from_iter(chunks)).await?)
    }

    /// Makes the bytes durable.
    pub(crate) async fn finish(mut self) -> Result<Spooled, SpoolError> {
        if self.waiting_bytes > 0 {
            self.flush().await?;
        }
        let id = self.writer.finish().await?;
        Ok(Spooled {
            blob: UnclaimedBlob { id, blobs: self.blobs, keep: false },
            head: Head { is_whole: self.size == self.head.len() as u64, bytes: self.head },
            md5: hex::encode(self.md5.finalize()),
            sha256: hex::encode(self.sha256.finalize()),
            size: self.size,
        })
    }
}

/// Bytes that are durable but belong to no file yet. Dropped, they go from the disk.
pub(crate) struct Spooled {
    pub(super) blob: UnclaimedBlob,
    pub(super) head: Head,
    /// Lower-case hex.
    pub(super) md5: String,
    /// Lower-case hex.
    pub(super) sha256: String,
    pub(super) size: u64,
}

/// The first bytes of a file, at most `HEAD_BYTES`.
pub(super) struct Head {
    pub(super) bytes: Vec<u8>,
    /// They are the whole file.
    pub(super) is_whole: bool,
}

/// A blob that goes from the disk when this is dropped, unless it is kept.
pub(super) struct UnclaimedBlob {
    id: BlobId,
    blobs: Blobs,
    keep: bool,
}

impl UnclaimedBlob {
    pub(super) fn id(&self) -> &BlobId {
        &self.id
    }

    /// Leaves the blob to the row that names it.
    pub(super) fn keep(mut self) {
        self.keep = true;
    }
}

impl Drop for UnclaimedBlob {
    fn drop(&mut self) {
        let (false, Ok(runtime)) = (self.keep, tokio::runtime::Handle::try_current()) else { return };
        let (id, blobs) = (self.id.clone(), self.blobs.clone());
        runtime.spawn(async move {
            if let Err(error) = blobs.remove(&id).await {
                // The sweep of the next start takes it.
                tracing::warn!(blob = id.as_str(), %error, "an unused blob could not be removed");
            }
        });
    }
}
