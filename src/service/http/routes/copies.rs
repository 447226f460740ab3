//! Resized copies of images, which are served at signed addresses with a size, and described when such an address is
//! signed.

use axum::body::Bytes;
use futures::StreamExt as _;
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, SemaphorePermit};

use super::stored_bytes::{self, Unreadable};
use crate::api::model::{FileKind, ThumbnailSize};
use crate::drawing::DrawKind;
use crate::service::answer::error::ApiError;
use crate::service::content::copy_thread;
use crate::service::content::resize::{CopyPlan, Resized};
use crate::service::policy;
use crate::service::state::AppState;
use crate::service::store::FileRecord;

/// The room for copies in KiB. A copy stays in memory until its last byte is sent, and a client may be slow.
static ROOM: Semaphore = Semaphore::const_new(policy::COPIES_KIB);

/// Returns the copy in this size; `None` if the file itself is served, because it fits already or cannot be resized.
/// The same file and size give the same copy.
///
/// # Errors
///
/// Returns an error if the file's bytes cannot be read.
pub(super) async fn copy(
    state: &AppState,
    file: &FileRecord,
    size: &ThumbnailSize,
    upscale: bool,
) -> Result<Option<Resized>, ApiError> {
    let can_be = file.content.kind == FileKind::Image && file.content.size <= policy::MAX_RESIZED_FILE_BYTES;
    let Some(edge) = policy::thumbnail_edge(size).filter(|_| can_be) else { return Ok(None) };
    let Some(drawer) = state.drawer.clone() else { return Ok(None) };
    let (runtime, state, file) = (Handle::current(), state.clone(), file.clone());
    // The bytes are read only once the drawer is free, and it is free again only once there is room for the copy.
    let make = async move {
        let mut turn = drawer.turn(DrawKind::Picture).await;
        let bytes = read(&state, &file).await?;
        let Some(plan) = CopyPlan::of(&bytes, edge, upscale) else { return Ok(None) };
        let drawn = turn.draw(plan.request(), &bytes).await;
        drop(bytes);
        let drawing = match drawn {
            Ok(drawing) => drawing,
            Err(error) => {
                tracing::debug!(%error, "an image cannot be resized");
                return Ok(None);
            }
        };
        match plan.encode(drawing) {
            Ok(copy) => Ok(Some(Resized { bytes: within_room(copy.bytes).await, ..copy })),
            Err(error) => {
                tracing::warn!(%error, "a copy of an image cannot be encoded");
                Ok(None)
            }
        }
    };
    copy_thread::run(move || runtime.block_on(make)).await.unwrap_or_else(|error| {
        tracing::warn!(%error, "an image cannot be resized");
        Ok(None)
    })
}

/// Waits until there is room for the bytes, and reserves it until they are dropped.
async fn within_room(bytes: Bytes) -> Bytes {
    struct Within {
        bytes: Bytes,
        _room: Option<SemaphorePermit<'static>>,
    }
    impl AsRef<[u8]> for Within {
        fn as_ref(&self) -> &[u8] {
            &self.bytes
        }
    }
    let kib = bytes.len().div_ceil(1024).min(policy::COPIES_KIB);
    // The semaphore is never closed.
    let room = ROOM.acquire_many(u32::try_from(kib).unwrap_or(u32::MAX)).await.ok();
    Bytes::from_owner(Within { bytes, _room: room })
}

/// Reads the bytes into one piece, so that each of them is in memory once.
async fn read(state: &AppState, file: &FileRecord) -> Result<Vec<u8>, ApiError> {
    let stored = match stored_bytes::whole(state, file).await {
        Err(Unreadable::Gone) => stored_bytes::whole(state, &stored_bytes::again(state, file).await?).await,
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

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn copies_wait_until_those_that_are_being_sent_leave_room() {
        let bytes = Bytes::from(vec![0; policy::COPIES_KIB * 1024]);
        let slow = within_room(bytes.slice(2048..)).await;
        let small = within_room(bytes.slice(..1024)).await;
        assert!(within_room(bytes.slice(..1025)).now_or_never().is_none(), "there is room for a KiB");
        drop(small.slice(..7));
        assert!(within_room(bytes.slice(..1025)).now_or_never().is_none(), "a part of the small one is held still");
        drop(small);
        assert!(within_room(bytes.slice(..1025)).now_or_never().is_some());
        drop(slow);
        assert_eq!(
            within_room(Bytes::from(vec![0; bytes.len() + 1])).await.len(),
            bytes.len() + 1,
            "larger than all room"
        );
    }
}
