//! Hidden files: found by id only, and only by callers with a scope of their own
//! (`contract.md#scopes`).

use crate::service::access::scopes::{HIDDEN_READ, HIDDEN_WRITE, Principal};
use crate::service::answer::error::ApiError;
use crate::service::state::AppState;
use crate::service::store::{FileKey, FileRecord, StoreError};

pub(super) async fn readable(
    state: &AppState,
    caller: &Principal,
    key: FileKey,
) -> Result<FileRecord, StoreError> {
    let record = state.store.file(key, state.clock.now()).await?;
    if record.access.is_hidden() && caller.require(&HIDDEN_READ).is_err() {
        return Err(StoreError::FileMissing(key.0));
    }
    Ok(record)
}

/// Refuses a caller that may not change this file, as if it did not exist unless the caller can
/// read it. A missing file is no reason to refuse. Returns the file.
pub(super) async fn check_change(
    state: &AppState,
    caller: &Principal,
    key: FileKey,
) -> Result<Option<FileRecord>, ApiError> {
    match state.store.file(key, state.clock.now()).await {
        Ok(record) if record.access.is_hidden() => match caller.require(&HIDDEN_WRITE) {
            Err(_) if caller.require(&HIDDEN_READ).is_err() => {
                Err(StoreError::FileMissing(key.0).into())
            }
            required => Ok(required.map(|()| Some(record))?),
        },
        Ok(record) => Ok(Some(record)),
        Err(StoreError::FileMissing(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
