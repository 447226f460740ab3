//! Copies of images in another size: what a signed address with a size leads to, and what is said of it beforehand.

use axum::body::to_bytes;
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
    // What went wrong has been logged.
    let bytes = to_bytes(stored, usize::MAX).await.map_err(|_| ApiError::defect())?;
    Ok(resize(bytes, size, upscale, turn).await)
}
