//! Resized copies of images, which are served at signed addresses with a size, and described when
//! such an address is signed.

use futures::StreamExt as _;
use tokio::runtime::Handle;

use super::stored_bytes::{self, Unreadable};
use crate::api::model::{FileKind, ThumbnailSize};
use crate::drawing::DrawKind;
use crate::service::answer::error::ApiError;
use crate::service::content::copy_thread;
use crate::service::content::resize::{CopyPlan, Resized};
use crate::service::policy;
use crate::service::state::AppState;
use crate::service::store::FileRecord;

/// Returns the copy in this size; `None` if the file itself is served, because it fits already or
/// cannot be resized. The same file and size give the same copy.
///
/// # Errors
///
/// Returns an error if the file's bytes cannot be read or the copy cannot be written.
pub(super) async fn copy(
    state: &AppState,
    file: &FileRecord,
    size: &ThumbnailSize,
    upscale: bool,
) -> Result<Option<Resized>, ApiError> {
    let can_be =
        file.content.kind == FileKind::Image && file.content.size <= policy::MAX_RESIZED_FILE_BYTES;
    let Some(edge) = policy::thumbnail_edge(size).filter(|_| can_be) else {
        return Ok(None);
    };
    let Some(drawer) = state.drawer.clone() else {
        return Ok(None);
    };
    let (runtime, state, file) = (Handle::current(), state.clone(), file.clone());
    // The bytes are read only once the drawer is free.
    let make = async move {
        let mut turn = drawer.turn(DrawKind::Picture).await;
        let bytes = read(&state, &file).await?;
        let Some(plan) = CopyPlan::of(&bytes, edge, upscale) else {
            return Ok(None);
        };
        let drawn = turn.draw(plan.request(), &bytes).await;
        drop(bytes);
        let drawing = match drawn {
            Ok(drawing) => drawing,
            Err(error) => {
                tracing::debug!(%error, "an image cannot be resized");
                return Ok(None);
            }
        };
        let copy = state
            .room
            .unnamed_file()
            .and_then(|file| plan.encode(drawing, file));
        copy.map(Some)
            .map_err(|error| ApiError::of_bytes("write a copy of an image", &error))
    };
    copy_thread::run(move || runtime.block_on(make))
        .await
        .unwrap_or_else(|error| {
            tracing::warn!(%error, "an image cannot be resized");
            Ok(None)
        })
}

/// Reads the bytes into one piece, so that each of them is in memory once.
async fn read(state: &AppState, file: &FileRecord) -> Result<Vec<u8>, ApiError> {
    let stored = match stored_bytes::whole(state, file).await {
        Err(Unreadable::Gone) => {
            stored_bytes::whole(state, &stored_bytes::again(state, file).await?).await
        }
        read => read,
    };
    let mut bytes = Vec::with_capacity(usize::try_from(file.content.size).unwrap_or(0));
    let mut stored = stored?.into_data_stream();
    while let Some(piece) = stored.next().await {
        // The error has been logged.
        bytes.extend_from_slice(&piece.map_err(|_| ApiError::defect())?);
    }
    Ok(bytes)
}
