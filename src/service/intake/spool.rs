//! Bytes that arrive, on their way to the disk: lot by lot, each written in one lane and hashed for the contract in
//! another while the next ones come; memory does not grow with the size. Whose bytes they are is not known here.

use std::io;

use bytes::{Bytes, BytesMut};

use super::measure::{Measure, Measured};
use crate::service::answer::error::ApiError;
use crate::service::content::blobs::{BlobId, BlobWriter, Blobs};
use crate::service::content::disk::is_disk_full;
use crate::service::content::lane::Lane;
use crate::service::content::unclaimed::{AllInDoubt, Place};
use crate::service::policy;

/// Chunks are gathered to lots of this size.
const LOT_BYTES: usize = 128 * 1024;

/// Takes the bytes of one file. Dropped before `finish`, it leaves nothing on the disk.
pub(crate) struct Spool {
    blobs: Blobs,
    coming: BytesMut,
    writer: BlobWriter,
    measure: Lane<Measure>,
    size: u64,
    limit: u64,
}

/// Why bytes could not be spooled.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SpoolError {
    #[error("the file is larger than {limit} bytes")]
    TooLarge { limit: u64 },
    #[error("the bytes could not be written")]
    Disk(#[from] io::Error),
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
        let (writer, measure) = (blobs.create().await?, Lane::new(Measure::default()));
        Ok(Self { blobs: blobs.clone(), coming: BytesMut::new(), writer, measure, size: 0, limit })
    }

    pub(crate) async fn write(&mut self, mut chunk: Bytes) -> Result<(), SpoolError> {
        self.size += chunk.len() as u64;
        if self.size > self.limit {
            return Err(SpoolError::TooLarge { limit: self.limit });
        }
        while !chunk.is_empty() {
            let missing = LOT_BYTES.saturating_sub(self.coming.len());
            self.coming.extend_from_slice(&chunk.split_to(missing.min(chunk.len())));
            if self.coming.len() == LOT_BYTES {
                let lot = self.coming.split().freeze();
                self.coming.reserve(LOT_BYTES);
                self.measure.add(lot.clone()).await?;
                self.writer.write(lot).await?;
            }
        }
        Ok(())
    }

    /// Makes the bytes durable. Waits while as many blobs as may be are whole and belong to no row yet.
    pub(crate) async fn finish(self) -> Result<Spooled, SpoolError> {
        let measure = self.measure.finish().await?;
        let place = self.blobs.unclaimed.admit().await?;
        let (writer, rest, blobs) = (self.writer, self.coming.freeze(), self.blobs);
        let hashed = measure.with(rest.clone());
        // Goes on if the caller is dropped, so that a blob which gets its name all the same has somebody to remove it.
        let finished = tokio::spawn(async move {
            let (id, sums) = writer.finish(rest).await?;
            Ok::<_, io::Error>((UnclaimedBlob { id, blobs, place: Some(place) }, sums))
        });
        let measure = hashed.await?;
        let (blob, sums) = finished.await.map_err(io::Error::other)??;
        Ok(Spooled { blob, measured: measure.finish(sums) })
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
            self.blobs.loose_ends.leave();
            place.leave_in_doubt();
        }
    }
}

impl Drop for UnclaimedBlob {
    fn drop(&mut self) {
        let Some(place) = self.place.take() else { return };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return self.blobs.loose_ends.leave() };
        let (id, blobs) = (self.id.clone(), self.blobs.clone());
        runtime.spawn(async move {
            let _until_it_is_gone = place;
            if let Err(error) = blobs.remove(&id).await {
                // The next start puts it aside.
                blobs.loose_ends.leave();
                tracing::warn!(blob = id.as_str(), %error, "an unused blob could not be removed");
            }
        });
    }
}
