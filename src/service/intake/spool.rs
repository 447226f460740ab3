//! Bytes that arrive, on their way to the disk: written and hashed as they come, so that memory does not grow with the
//! size. Whose bytes they are is not known here.

use bytes::Bytes;

use super::measure::{Measure, Measured};
use crate::service::blobs::{BlobError, BlobId, BlobWriter, Blobs};
use crate::service::disk::is_disk_full;
use crate::service::error::ApiError;
use crate::service::policy;
use crate::service::unclaimed::{AllInDoubt, Place};

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
    #[error(transparent)]
    InDoubt(#[from] AllInDoubt),
}

impl From<SpoolError> for ApiError {
    fn from(error: SpoolError) -> Self {
        match &error {
            SpoolError::TooLarge { .. } => {
                Self::new(policy::OVER_SIZE, error.to_string()).with_category("VALIDATION_ERROR")
            }
            SpoolError::Disk(cause) if is_disk_full(cause) => Self::disk_full(),
            SpoolError::Disk(cause) => Self::internal("write a blob", cause),
            SpoolError::InDoubt(_) => Self::new(policy::UPLOADS_IN_DOUBT, error.to_string()),
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
        Ok(self.writer.write(std::mem::take(&mut self.waiting)).await?)
    }

    /// Makes the bytes durable. Waits while as many blobs as may be are whole and belong to no row yet.
    pub(crate) async fn finish(self) -> Result<Spooled, SpoolError> {
        let place = self.blobs.unclaimed.admit().await?;
        let (writer, rest, blobs) = (self.writer, self.waiting, self.blobs);
        // Goes on if the caller is dropped, so that a blob which gets its name all the same has somebody to remove it.
        let finished =
            tokio::spawn(
                async move { Ok(UnclaimedBlob { id: writer.finish(rest).await?, blobs, place: Some(place) }) },
            );
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
    /// None once it is kept.
    place: Option<Place>,
}

impl UnclaimedBlob {
    pub(super) fn id(&self) -> &BlobId {
        &self.id
    }

    /// Leaves the blob to the row that names it.
    pub(super) fn keep(mut self) {
        self.place = None;
    }

    /// Leaves the blob to the next start, which knows whether a row names it. It counts until then.
    pub(super) fn keep_in_doubt(mut self) {
        if let Some(place) = self.place.take() {
            place.leave_in_doubt();
        }
    }
}

impl Drop for UnclaimedBlob {
    fn drop(&mut self) {
        let (Some(place), Ok(runtime)) = (self.place.take(), tokio::runtime::Handle::try_current()) else { return };
        let (id, blobs) = (self.id.clone(), self.blobs.clone());
        runtime.spawn(async move {
            let _until_it_is_gone = place;
            if let Err(error) = blobs.remove(&id).await {
                // The next start puts it aside.
                tracing::warn!(blob = id.as_str(), %error, "an unused blob could not be removed");
            }
        });
    }
}
