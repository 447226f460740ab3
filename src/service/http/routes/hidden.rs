//! Hidden files: found by id only, and only by callers with a scope of their own (`contract.md#scopes`).

use crate::service::access::scopes::{HIDDEN_READ, HIDDEN_WRITE, Principal};
use crate::service::answer::error::ApiError;
use crate::service::state::AppState;
use crate::service::store::{FileKey, FileRecord, StoreError};

pub(super) async fn readable(state: &AppState, caller: &Principal, key: FileKey) -> Result<FileRecord, ApiError> {
    let record = state.store.file(key, state.clock.now()).await?;
    if record.access.is_hidden() {
        caller.require(&HIDDEN_READ)?;
    }
    Ok(record)
}

/// Refuses a caller that may not change this file. A missing file is no reason to refuse.
pub(super) async fn check_change(state: &AppState, caller: &Principal, key: FileKey) -> Result<(), ApiError> {
    match state.store.file(key, state.clock.now()).await {
        Ok(record) if record.access.is_hidden() => caller.require(&HIDDEN_WRITE).map_err(ApiError::from),
        Ok(_) | Err(StoreError::FileMissing(_)) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
