//! Bytes that arrive, on their way to the disk: written and hashed as they come, so that memory does not grow with the
//! size. Whose bytes they are is not known here.

use bytes::Bytes;
use object_store::PutPayload;
use tokio::sync::OwnedSemaphorePermit;

use super::measure::{Measure, Measured};
use crate::service::blobs::{BlobError, BlobId, BlobWriter, Blobs};
use crate::service::disk::is_disk_full;
use crate::service::error::ApiError;
use crate::service::policy;

/// Small chunks are gathered to writes of this size.
const WRITE_BYTES: usize = 256 * 1024;

/// Takes the bytes of one file. Dropped before `finish`, it leaves nothing on the disk.
pub(crate) struct Spool {
    blobs: Blobs,
    writer: BlobWriter,
    waiting: Vec<Bytes>,
    waiting_bytes: usize,
    measure: Measure,
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
            measure: Measure::default(),
            limit,
        })
    }

    pub(crate) async fn write(&mut self, chunk: Bytes) -> Result<(), SpoolError> {
        if self.measure.size() + chunk.len() as u64 > self.limit {
            return Err(SpoolError::TooLarge { limit: self.limit });
        }
        self.measure.add(&chunk);
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
        let (writer, blobs) = (self.writer, self.blobs);
        // Goes on if the caller is dropped, so that a blob which gets its name all the same has somebody to remove it.
        let finished = tokio::spawn(async move {
            let (id, permit) = writer.finish().await?;
            Ok(UnclaimedBlob { id, blobs, keep: false, permit: Some(permit) })
        });
        Ok(Spooled {
            blob: finished.await.unwrap_or_else(|failed| Err(BlobError::JoinError { source: failed }))?,
            measured: self.measure.finish(),
        })
    }
}

/// Bytes that are durable but belong to no file yet. Dropped, they go from the disk.
pub(crate) struct Spooled {
    pub(super) blob: UnclaimedBlob,
    pub(super) measured: Measured,
}

/// A blob that goes from the disk when this is dropped, unless it is kept.
pub(super) struct UnclaimedBlob {
    id: BlobId,
    blobs: Blobs,
    keep: bool,
    /// One of those that bound how many such blobs there are.
    permit: Option<OwnedSemaphorePermit>,
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
        let (id, blobs, permit) = (self.id.clone(), self.blobs.clone(), self.permit.take());
        runtime.spawn(async move {
            let _until_it_is_gone = permit;
            if let Err(error) = blobs.remove(&id).await {
                // The next start puts it aside.
                tracing::warn!(blob = id.as_str(), %error, "an unused blob could not be removed");
            }
        });
    }
}
