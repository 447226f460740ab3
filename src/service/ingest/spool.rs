//! Arriving bytes on their way to storage: each chunk is written by one worker and hashed for the
//! contract by another while the next ones arrive, so memory does not grow with the size. Knows
//! nothing of the purpose of the bytes.

use std::error::Error;
use std::io;

use bytes::{Bytes, BytesMut};
use tracing::Instrument as _;

use super::measure::{ContentMeasure, Measured};
use crate::chunk_worker::Worker;
use crate::service::answer::error::ApiError;
use crate::service::content::blobs::{BlobId, BlobUpload, BlobWriter, SumBuilder, may_come_late};
use crate::service::policy;
use crate::service::state::AppState;

const CHUNK_BYTES: usize = 128 * 1024;

/// Receives the bytes of one file. If it is dropped before `finish`, nothing is left of them.
pub(crate) struct Spool {
    coming: BytesMut,
    writer: BlobWriter,
    blob: PendingBlob,
    measure: Worker<ContentMeasure>,
    size: u64,
    limit: u64,
}

pub(crate) fn too_large(limit: u64) -> ApiError {
    ApiError::new(
        policy::OVER_SIZE,
        format!("the file is larger than {limit} bytes"),
    )
    .with_category("VALIDATION_ERROR")
}

fn unwritten(error: impl Into<Box<dyn Error + Send + Sync>>) -> ApiError {
    ApiError::of_bytes("write a blob", &*error.into())
}

impl Spool {
    pub(crate) async fn open(state: &AppState, limit: u64) -> Result<Self, ApiError> {
        let blob = PendingBlob::note(state).await?;
        let writer = state
            .blobs
            .create(blob.id.clone(), SumBuilder::default())
            .await
            .map_err(unwritten)?;
        let measure = Worker::new(ContentMeasure::default());
        Ok(Self {
            coming: BytesMut::new(),
            writer,
            blob,
            measure,
            size: 0,
            limit,
        })
    }

    pub(crate) async fn write(&mut self, mut chunk: Bytes) -> Result<(), ApiError> {
        self.size += chunk.len() as u64;
        if self.size > self.limit {
            return Err(too_large(self.limit));
        }
        while !chunk.is_empty() {
            let missing = CHUNK_BYTES.saturating_sub(self.coming.len());
            self.coming
                .extend_from_slice(&chunk.split_to(missing.min(chunk.len())));
            if self.coming.len() == CHUNK_BYTES {
                let chunk = self.coming.split().freeze();
                self.coming.reserve(CHUNK_BYTES);
                self.measure.add(chunk.clone()).await.map_err(unwritten)?;
                self.writer.write(chunk).await.map_err(unwritten)?;
            }
        }
        Ok(())
    }

    pub(crate) async fn finish(self) -> Result<Spooled, ApiError> {
        let measure = self.measure.finish().await.map_err(unwritten)?;
        let (writer, rest, mut blob) = (self.writer, self.coming.freeze(), self.blob);
        let hashed = measure.with(rest.clone());
        // Continues if the caller is dropped, so that a blob that is completed all the same gets
        // removed.
        let finish = async move {
            let written = writer.finish(rest).await;
            blob.may_come_late = written.as_ref().is_err_and(may_come_late);
            let (sums, upload) = written?;
            blob.upload = upload;
            Ok::<_, io::Error>((blob, sums))
        };
        let finished = tokio::spawn(finish.in_current_span());
        let measure = hashed.await.map_err(unwritten)?;
        let (blob, sums) = finished
            .await
            .map_err(io::Error::other)
            .flatten()
            .map_err(unwritten)?;
        Ok(Spooled {
            blob,
            measured: measure.finish(sums),
        })
    }
}

/// Durable bytes that belong to no file yet. Dropping this removes them.
pub(crate) struct Spooled {
    pub(super) blob: PendingBlob,
    pub(super) measured: Measured,
}

/// A blob that is removed when this is dropped, unless it is kept.
pub(super) struct PendingBlob {
    pub(super) id: BlobId,
    state: AppState,
    is_kept: bool,
    /// Set if the blob has to stay listed, to be removed once more later.
    may_come_late: bool,
    /// Present while the blob could be taken for one that an earlier process left.
    upload: Option<BlobUpload>,
}

impl PendingBlob {
    /// Lists a blob as pending before its first byte is written.
    async fn note(state: &AppState) -> Result<Self, ApiError> {
        let (id, state) = (BlobId::random(), state.clone());
        let blob = Self {
            id,
            state,
            is_kept: false,
            may_come_late: false,
            upload: None,
        };
        blob.state
            .store
            .note_pending(&blob.id, blob.state.clock.now())
            .await?;
        Ok(blob)
    }

    /// Leaves the blob to the row that names it.
    pub(super) fn keep(mut self) {
        self.is_kept = true;
    }
}

impl Drop for PendingBlob {
    fn drop(&mut self) {
        if self.is_kept {
            return;
        }
        // Without a runtime the process is about to end, and the next one finds the blob.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        let (id, state, upload) = (self.id.clone(), self.state.clone(), self.upload.take());
        let may_come_late = self.may_come_late;
        // If the runtime ends before this has run, the outcome for the row is unknown, and the blob
        // stays.
        runtime.spawn(async move {
            let _until_it_is_gone = upload;
            if let Err(error) = state.blobs.discard(id.clone()).await {
                tracing::warn!(%error, "an upload that was not stored could not be removed; that is done later");
            } else if !may_come_late && let Err(error) = state.store.forget_pending(&id).await {
                tracing::warn!(%error, "an upload that was not stored stays noted; that is removed later");
            }
        });
    }
}
