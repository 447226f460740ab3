//! Reads the stored bytes of a file for a response. Every block is checked before its first byte is
//! sent (`guarantees.md#damaged-bytes-are-never-answered`). If the first block is damaged, the
//! request fails; a later one cuts the response.

use std::io;
use std::ops::Range;

use axum::body::Body;
use futures::{StreamExt as _, stream};
use tokio::sync::Semaphore;

use crate::service::answer::error::ApiError;
use crate::service::content::blobs::{self, BLOCK_BYTES, BlockSums, blocks_of};
use crate::service::policy;
use crate::service::state::AppState;
use crate::service::store::{FileKey, FileRecord, StoreError};

/// A limit on files without block sums, which have to be read in full however small the requested
/// part.
static FIRST_READS: Semaphore = Semaphore::const_new(policy::FIRST_READS_AT_ONCE);

#[derive(Debug, thiserror::Error)]
pub(super) enum Unreadable {
    /// Replaced or erased since the row was read; see `again`.
    #[error("the stored bytes are gone")]
    Gone,
    #[error("the stored bytes are damaged")]
    Damaged,
    #[error("the stored bytes cannot be read")]
    Disk(#[source] io::Error),
    #[error("the checksums of the stored bytes cannot be read")]
    Database(#[from] StoreError),
}

impl From<Unreadable> for ApiError {
    fn from(error: Unreadable) -> Self {
        Self::of_bytes("read a blob", &error)
    }
}

pub(super) async fn whole(state: &AppState, file: &FileRecord) -> Result<Body, Unreadable> {
    part(state, file, 0..file.content.size).await
}

/// Returns a part of the file, which must lie within it.
pub(super) async fn part(
    state: &AppState,
    file: &FileRecord,
    part: Range<u64>,
) -> Result<Body, Unreadable> {
    let (content, key) = (&file.content, file.key);
    if content.size <= BLOCK_BYTES {
        let block = state
            .blobs
            .read_block(&content.blob, content.size, content.digest.clone())
            .await;
        let [start, end] =
            [part.start, part.end].map(|at| usize::try_from(at).unwrap_or(usize::MAX));
        return Ok(block
            .map_err(|error| refused(key, error))?
            .slice(start..end)
            .into());
    }
    let sums = sums(state, file, &blocks_of(&part)).await?;
    let mut reading = state
        .blobs
        .read_part(&content.blob, content.size, part, sums);
    let first = reading.next().await.map_err(|error| refused(key, error))?;
    let rest = stream::try_unfold(reading, move |mut reading| async move {
        match reading.next().await {
            Ok(bytes) => Ok(bytes.map(|bytes| (bytes, reading))),
            Err(error) => Err(cut(key, error)),
        }
    });
    Ok(Body::from_stream(stream::iter(first.map(Ok)).chain(rest)))
}

/// Returns the sums of some blocks of the file. A file older than block sums is read in full and
/// gets them.
async fn sums(
    state: &AppState,
    file: &FileRecord,
    blocks: &Range<u64>,
) -> Result<BlockSums, Unreadable> {
    if let Some(sums) = state.store.block_sums(&file.content.blob, blocks).await? {
        return Ok(sums);
    }
    // The semaphore is never closed.
    let turn = FIRST_READS.acquire().await;
    if let Some(sums) = state.store.block_sums(&file.content.blob, blocks).await? {
        return Ok(sums);
    }
    let (state, file) = (state.clone(), file.clone());
    // Continues if the caller is dropped: a client that gives up on a long file finds the sums on
    // its next try.
    let read = tokio::spawn(async move {
        let _turn = turn;
        first_read(&state, &file).await
    });
    Ok(read
        .await
        .map_err(io::Error::other)
        .map_err(Unreadable::Disk)??
        .of(blocks))
}

async fn first_read(state: &AppState, file: &FileRecord) -> Result<BlockSums, Unreadable> {
    let content = &file.content;
    let found = state
        .blobs
        .sums(&content.blob, &content.digest)
        .await
        .map_err(|error| refused(file.key, error))?;
    if found.size != content.size || !found.are_of(&content.digest) {
        return Err(damaged(file.key));
    }
    if let Err(error) = state
        .store
        .add_block_sums(file.key, content.blob.clone(), found.blocks.clone())
        .await
    {
        tracing::warn!(file = file.key.0, %error, "checksums of a file could not be kept; its next reader makes them anew");
    }
    Ok(found.blocks)
}

fn refused(file: FileKey, error: io::Error) -> Unreadable {
    match error.kind() {
        io::ErrorKind::NotFound => Unreadable::Gone,
        _ if blobs::is_damage(&error) => damaged(file),
        _ => Unreadable::Disk(error),
    }
}

fn damaged(file: FileKey) -> Unreadable {
    tracing::error!(file = file.0, "the stored bytes are damaged");
    Unreadable::Damaged
}

/// Logs an error after the response has begun; failing now closes the connection before the
/// announced end.
fn cut(file: FileKey, error: io::Error) -> io::Error {
    tracing::error!(file = file.0, %error, "an answer was cut: a blob could not be read to its end as it was stored");
    error
}

/// Returns the current row of a file whose bytes are gone, since they may have been replaced. Fails
/// if the access level has changed, since the caller was admitted by the old one.
pub(super) async fn again(state: &AppState, file: &FileRecord) -> Result<FileRecord, ApiError> {
    let now = state.store.file(file.key, state.clock.now()).await?;
    if now.content.blob == file.content.blob {
        return Err(Unreadable::Gone.into());
    }
    if now.access != file.access {
        return Err(ApiError::not_found(
            "the file's access level has just changed",
        ));
    }
    Ok(now)
}
