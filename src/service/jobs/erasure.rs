//! Permanent removal of erased and expired files: of rows, of their copies in the log, and of
//! bytes.

use jiff::{SignedDuration, Timestamp};

use crate::service::policy;
use crate::service::state::AppState;
use crate::service::store::{ScrubDelay, ServiceFlag, Store, StoreError};

const AT_ONCE: u32 = 100;

/// Removes rows that are to be erased and deleted folders that are empty. Returns `true` if there
/// were any.
pub(super) async fn erase_rows(store: &Store, now: Timestamp) -> Result<bool, StoreError> {
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

/// Erases the rows that wait for it and immediately removes their remains from the database, which
/// takes time in a large store. For a service that is about to stop but still accepts requests.
pub(crate) async fn scrub(state: &AppState) -> Result<(), StoreError> {
    erase_rows(&state.store, state.clock.now()).await?;
    if state.store.mark(ServiceFlag::Unscrubbed).await?.is_some() {
        state.store.rewrite().await?;
        state.store.empty_log(ScrubDelay::LONG).await?;
    }
    Ok(())
}

/// Immediately removes everything that would wait for its turn. For a service that accepts no more
/// requests and may not be started again for long; by then the clock may be behind the one that set
/// the times.
pub(crate) async fn finish(state: &AppState) -> Result<(), StoreError> {
    erase_rows(&state.store, state.clock.now()).await?;
    // Other processes may be about to open them.
    if !state.store.is_shared() {
        remove_unused(state, Timestamp::MAX).await?;
    }
    state.store.rewrite().await?;
    state.store.empty_log(ScrubDelay::LONG).await?;
    Ok(())
}

/// Marks the bytes of failed uploads for removal, whatever the clock shows. Returns the next due
/// time.
pub(super) async fn give_up_uploads(state: &AppState) -> Result<Option<Timestamp>, StoreError> {
    let clock = state.clock.clone();
    let oldest = state
        .store
        .give_up_pending(policy::PENDING_FOR, move || clock.now())
        .await?;
    Ok(oldest.and_then(|since| since.checked_add(policy::PENDING_FOR).ok()))
}

/// Removes bytes that have been unused so long that no reader who saw their row is about to open
/// them; in the first round after a start, all that were unused when the service `started`. Returns
/// the next due time.
pub(super) async fn remove_blobs(
    state: &AppState,
    started: Option<Timestamp>,
    now: Timestamp,
) -> Result<Option<Timestamp>, StoreError> {
    // A clock that was set back must not make blobs wait longer.
    state.store.count_unused_from(now).await?;
    let before = |time: Timestamp, by| time.saturating_sub(by).unwrap_or(Timestamp::MIN);
    let started = started.map(|started| before(started, SignedDuration::from_millis(1)));
    let until = started
        .into_iter()
        .fold(before(now, policy::BLOB_GRACE), Timestamp::max);
    if !remove_unused(state, until).await? {
        return Ok(now.checked_add(policy::JOB_RETRY).ok());
    }
    let oldest = state.store.oldest_unused_blob().await?;
    Ok(oldest.and_then(|since| since.checked_add(policy::BLOB_GRACE).ok()))
}

/// Removes bytes that have been unused since this time or longer. Returns `false` if some could not
/// be removed.
async fn remove_unused(state: &AppState, since: Timestamp) -> Result<bool, StoreError> {
    loop {
        let blobs = state.store.unused_blobs(since, AT_ONCE).await?;
        if blobs.is_empty() {
            return Ok(true);
        }
        if let Err(error) = state.blobs.remove(blobs.clone()).await {
            tracing::error!(%error, "bytes that no row names could not be removed");
            return Ok(false);
        }
        // Delisted only once they are durably gone: a blob that came back would look like one whose
        // row was lost.
        state.store.forget_blobs(blobs.iter()).await?;
    }
}
