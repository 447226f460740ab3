//! Removes for good: rows of files that expired or were erased, the log that remembers them, bytes that no row names.

use jiff::{SignedDuration, Timestamp};

use crate::service::policy;
use crate::service::state::AppState;
use crate::service::store::{Store, StoreError};

const AT_ONCE: u32 = 100;

/// Removes the rows of files that are to be erased, and of deleted folders that are empty now. True if there were any.
pub(crate) async fn erase_rows(store: &Store, now: Timestamp) -> Result<bool, StoreError> {
    let mut erased = false;
    loop {
        let keys = store.files_to_erase(AT_ONCE).await?;
        if keys.is_empty() {
            return Ok(store.purge_folders(now).await? || erased);
        }
        store.erase_files(&keys).await?;
        erased = true;
    }
}

/// Removes for good, at once, what would wait for its turn: for a service that takes no requests any more, and may not be
/// started again for long.
pub(crate) async fn finish(state: &AppState) -> Result<(), StoreError> {
    let now = state.clock.now();
    erase_rows(&state.store, now).await?;
    remove_blobs(state, now, SignedDuration::ZERO).await?;
    state.store.rewrite().await?;
    state.store.empty_log().await?;
    Ok(())
}

/// Removes bytes that have been unused for so long that nobody who saw their row is about to open them.
/// Gives the time at which there is more to do.
pub(super) async fn remove_blobs(
    state: &AppState,
    now: Timestamp,
    grace: SignedDuration,
) -> Result<Option<Timestamp>, StoreError> {
    loop {
        let unused_since = now.saturating_sub(grace).unwrap_or(Timestamp::MIN);
        let blobs = state.store.unused_blobs(unused_since, AT_ONCE).await?;
        if blobs.is_empty() {
            let oldest = state.store.oldest_unused_blob().await?;
            return Ok(oldest.and_then(|since| since.checked_add(grace).ok()));
        }
        let mut removed = 0;
        for blob in &blobs {
            if let Err(error) = state.blobs.remove(blob).await {
                tracing::error!(blob = blob.as_str(), %error, "bytes that nobody uses could not be removed");
                break;
            }
            removed += 1;
        }
        state.store.forget_blobs(blobs.iter().take(removed)).await?;
        if removed < blobs.len() {
            return Ok(now.checked_add(policy::JOB_RETRY).ok());
        }
    }
}
