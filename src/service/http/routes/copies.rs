//! Copies of images in another size: what a signed address with a size leads to, and what is said of it beforehand.

use axum::body::Body;
use futures::StreamExt as _;
use tokio::sync::Semaphore;

use super::stored::{self, Unreadable};
use crate::api::model::{FileKind, ThumbnailSize};
use crate::service::answer::error::ApiError;
use crate::service::content::resize::{Resized, resize};
use crate::service::policy;
use crate::service::state::AppState;
use crate::service::store::FileRecord;

/// Reading and decoding take memory of the whole process, so the process has one bound on them.
static AT_ONCE: Semaphore = Semaphore::const_new(policy::RESIZES_AT_ONCE);

/// The copy in this size; none where the file itself is served, because it fits already or cannot be resized. The same
/// file and size give the same copy.
pub(super) async fn copy(
    state: &AppState,
    file: &FileRecord,
    size: &ThumbnailSize,
    upscale: bool,
) -> Result<Option<Resized>, ApiError> {
    if file.content.kind != FileKind::Image || file.content.size > policy::MAX_RESIZED_FILE_BYTES {
        return Ok(None);
    }
    // The semaphore is never closed.
    let turn = AT_ONCE.acquire().await.ok();
    let stored = match stored::whole(state, file).await {
        Err(Unreadable::Gone) => stored::whole(state, &stored::again(state, file).await?).await,
        read => read,
    }?;
    let bytes = gathered(stored, file.content.size).await?;
    Ok(resize(bytes, size, upscale, turn).await)
}

/// The bytes in one piece, each of them in memory once.
async fn gathered(stored: Body, size: u64) -> Result<Vec<u8>, ApiError> {
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
    let mut stored = stored.into_data_stream();
    while let Some(piece) = stored.next().await {
        // What went wrong has been logged.
        bytes.extend_from_slice(&piece.map_err(|_| ApiError::defect())?);
    }
    Ok(bytes)
}
