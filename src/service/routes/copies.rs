//! Copies of images in another size: what a signed address with a size leads to, and what is said of it beforehand.

use bytes::Bytes;
use futures::TryStreamExt as _;

use super::stored::{self, Unreadable};
use crate::api::model::{FileKind, ThumbnailSize};
use crate::service::error::ApiError;
use crate::service::policy;
use crate::service::resize::{Resized, resize};
use crate::service::state::AppState;
use crate::service::store::FileRecord;

/// The copy in this size; none where the file itself is served, because it fits already or cannot be resized. The same
/// file and size give the same copy.
pub(super) async fn copy(
    state: &AppState,
    file: &FileRecord,
    size: &ThumbnailSize,
    upscale: bool,
) -> Result<Option<Resized>, ApiError> {
    if file.kind != FileKind::Image || file.size > policy::MAX_RESIZED_FILE_BYTES {
        return Ok(None);
    }
    let bytes = match stored::whole(state, file).await {
        Err(Unreadable::Gone) => stored::whole(state, &stored::again(state, file).await?).await,
        read => read,
    }?;
    // What went wrong has been logged.
    let chunks: Vec<Bytes> = bytes.try_collect().await.map_err(|_| ApiError::defect())?;
    Ok(resize(chunks.concat(), size, upscale).await)
}
