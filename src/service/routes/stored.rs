//! The stored bytes of a file on their way out, which never leave unchecked: a whole file is checked while it is sent, a
//! part of one, and a small one, before the first byte of it (`reliability.md` D6).

mod found_whole;
mod verify;

use std::ops::Range;

use axum::body::Body;
use sha2::{Digest as _, Sha256};
use tokio::sync::Semaphore;

use crate::service::blobs::{BlobError, BlobId};
use crate::service::error::ApiError;
use crate::service::policy;
use crate::service::state::AppState;
use crate::service::store::{Content, FileRecord};
use verify::verified;

/// Checking a part reads the whole, however little of it is asked for; the process has one bound on that.
static CHECKS: Semaphore = Semaphore::const_new(policy::PART_CHECKS_AT_ONCE);

/// Why there are no bytes.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unreadable {
    /// Replaced or erased since the row was read; see `again`.
    #[error("the stored bytes are gone")]
    Gone,
    #[error("the stored bytes are damaged")]
    Damaged,
    #[error("the stored bytes cannot be read")]
    Disk(#[source] BlobError),
}

impl From<BlobError> for Unreadable {
    fn from(error: BlobError) -> Self {
        match error {
            BlobError::NotFound { .. } => Self::Gone,
            error => Self::Disk(error),
        }
    }
}

impl From<Unreadable> for ApiError {
    fn from(error: Unreadable) -> Self {
        Self::internal("read a blob", &error)
    }
}

/// All bytes of the file. Damaged ones of a small file are refused, those of a large one break off before their end.
pub(super) async fn whole(state: &AppState, file: &FileRecord) -> Result<Body, Unreadable> {
    let content = &file.content;
    if !(1..=policy::READ_AT_ONCE_BYTES).contains(&content.size) {
        return Ok(Body::from_stream(verified(state.blobs.read(&content.blob, None).await?, file)));
    }
    let bytes = state.blobs.read_start(&content.blob, content.size).await?;
    if hex::encode(Sha256::digest(&bytes)) == content.sha256 { Ok(bytes.into()) } else { Err(damaged(&content.blob)) }
}

/// A part of the file, which is not empty and lies in it. Nothing is given of a file that is damaged anywhere.
pub(super) async fn part(state: &AppState, file: &FileRecord, range: Range<u64>) -> Result<Body, Unreadable> {
    if range == (0..file.content.size) {
        return whole(state, file).await;
    }
    check(state, &file.content).await?;
    let bytes = state.blobs.read(&file.content.blob, Some(range)).await?;
    Ok(Body::from_stream(bytes))
}

/// Reads and hashes all of the blob, unless that was done a moment ago.
async fn check(state: &AppState, content: &Content) -> Result<(), Unreadable> {
    // The semaphore is never closed.
    let _turn = CHECKS.acquire().await;
    if found_whole::is_remembered(&content.blob) {
        return Ok(());
    }
    if state.blobs.digest(&content.blob).await? != (content.size, content.sha256.clone()) {
        return Err(damaged(&content.blob));
    }
    found_whole::remember(&content.blob);
    Ok(())
}

fn damaged(blob: &BlobId) -> Unreadable {
    tracing::error!(blob = blob.as_str(), "the stored bytes are damaged");
    Unreadable::Damaged
}

/// The row of a file whose bytes are gone, as it is now: they may have been replaced since it was read. Who was let in by
/// the old row is not let in by one of another access level.
pub(super) async fn again(state: &AppState, file: &FileRecord) -> Result<FileRecord, ApiError> {
    let now = state.store.file(file.key, state.clock.now()).await?;
    if now.content.blob == file.content.blob {
        return Err(Unreadable::Gone.into());
    }
    if now.access != file.access {
        return Err(ApiError::not_found("the file's access level has just changed"));
    }
    Ok(now)
}
