//! Bytes that arrive, on their way to the disk: chunk by chunk, each written by one worker and hashed for the contract
//! in another while the next ones come; memory does not grow with the size. Whose bytes they are is not known here.

use std::error::Error;
use std::io;

use bytes::{Bytes, BytesMut};

use super::measure::{ContentMeasure, Measured};
use crate::service::answer::error::ApiError;
use crate::service::content::blobs::{BlobId, BlobUpload, BlobWriter, Blobs};
use crate::service::content::disk::is_disk_full;
use crate::service::content::worker::Worker;
use crate::service::policy;

/// Chunks are gathered to chunks of this size.
const LOT_BYTES: usize = 128 * 1024;

/// Takes the bytes of one file. Dropped before `finish`, it leaves nothing on the disk.
pub(crate) struct Spool {
    blobs: Blobs,
    coming: BytesMut,
    writer: BlobWriter,
    measure: Worker<ContentMeasure>,
    size: u64,
    limit: u64,
}

/// The refusal of a file that has more bytes than these.
pub(crate) fn too_large(limit: u64) -> ApiError {
    ApiError::new(policy::OVER_SIZE, format!("the file is larger than {limit} bytes")).with_category("VALIDATION_ERROR")
}

fn unwritten(error: impl Into<Box<dyn Error + Send + Sync>>) -> ApiError {
    let error = error.into();
    if is_disk_full(&*error) { ApiError::disk_full() } else { ApiError::internal("write a blob", &*error) }
}

impl Spool {
    /// Starts a file of `limit` bytes at most.
    pub(crate) async fn open(blobs: &Blobs, limit: u64) -> Result<Self, ApiError> {
        let (writer, measure) = (blobs.create().await.map_err(unwritten)?, Worker::new(ContentMeasure::default()));
        Ok(Self { blobs: blobs.clone(), coming: BytesMut::new(), writer, measure, size: 0, limit })
    }

    pub(crate) async fn write(&mut self, mut chunk: Bytes) -> Result<(), ApiError> {
        self.size += chunk.len() as u64;
        if self.size > self.limit {
            return Err(too_large(self.limit));
        }
        while !chunk.is_empty() {
            let missing = LOT_BYTES.saturating_sub(self.coming.len());
            self.coming.extend_from_slice(&chunk.split_to(missing.min(chunk.len())));
            if self.coming.len() == LOT_BYTES {
                let chunk = self.coming.split().freeze();
                self.coming.reserve(LOT_BYTES);
                self.measure.add(chunk.clone()).await.map_err(unwritten)?;
                self.writer.write(chunk).await.map_err(unwritten)?;
            }
        }
        Ok(())
    }

    /// Makes the bytes durable.
    pub(crate) async fn finish(self) -> Result<Spooled, ApiError> {
        let measure = self.measure.finish().await.map_err(unwritten)?;
        let (writer, rest, blobs) = (self.writer, self.coming.freeze(), self.blobs);
        let hashed = measure.with(rest.clone());
        // Continues if the caller is dropped, so that a blob which gets its name all the same has somebody to remove
        // it.
        let finished = tokio::spawn(async move {
            let (sums, upload) = writer.finish(rest).await?;
            let id = upload.id.clone();
            Ok::<_, io::Error>((PendingBlob { id, blobs, upload: Some(upload) }, sums))
        });
        let measure = hashed.await.map_err(unwritten)?;
        let (blob, sums) = finished.await.map_err(io::Error::other).flatten().map_err(unwritten)?;
        Ok(Spooled { blob, measured: measure.finish(sums) })
    }
}

/// Bytes that are durable but belong to no file yet. Dropped, they go from the disk.
pub(crate) struct Spooled {
    pub(super) blob: PendingBlob,
    pub(super) measured: Measured,
}

/// A blob that goes from the disk when this is dropped, unless it is kept.
pub(super) struct PendingBlob {
    pub(super) id: BlobId,
    blobs: Blobs,
    /// None once it is kept.
    upload: Option<BlobUpload>,
}

impl PendingBlob {
    /// Leaves the blob to the row that names it.
    pub(super) fn keep(mut self) {
        self.upload = None;
    }
}

impl Drop for PendingBlob {
    fn drop(&mut self) {
        let Some(upload) = self.upload.take() else { return };
        // Without a runtime the process is about to end, and the next start finds the blob.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let (id, blobs) = (self.id.clone(), self.blobs.clone());
        // Where the runtime is about to end, this does not run: nobody knows then what became of the row.
        runtime.spawn(async move {
            let _until_it_is_gone = upload;
            if let Err(error) = blobs.discard(id).await {
                tracing::warn!(%error, "an upload that was not stored could not be removed; the next start puts it aside");
            }
        });
    }
}
