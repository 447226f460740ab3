//! The one way a file comes to be: uploads, imports and the sample library spool their bytes, then ask for a file.

mod film;
mod inspect;
mod spool;

pub(crate) use spool::{Spool, SpoolError, Spooled};

use super::error::ApiError;
use super::names::{FileName, NameError};
use super::state::AppState;
use super::store::{Content, Created, FileChange, FileKey, FileRecord, NewFile, StoreError};
use crate::api::ids::TaskId;

/// Makes a file of spooled bytes. The work goes on if the caller is dropped, so that bytes and row agree.
pub(crate) async fn create_file(
    state: &AppState,
    spooled: Spooled,
    new: NewFile,
    charset: Option<String>,
) -> Result<Created, ApiError> {
    let state = state.clone();
    finished(tokio::spawn(async move {
        let (content, spooled) = describe(spooled, new.name.extension(), charset.as_deref());
        let created = state.store.create_file(&new, &content, state.clock.now()).await;
        settle(
            spooled,
            created.as_ref().map_or_else(StoreError::is_unclear, |created| matches!(created, Created::New(_))),
        );
        created
    }))
    .await
}

/// Makes the file of an import, and the import COMPLETE. The work goes on if the caller is dropped.
pub(crate) async fn import_file(
    state: &AppState,
    spooled: Spooled,
    new: NewFile,
    task: TaskId,
) -> Result<Created, ApiError> {
    let state = state.clone();
    finished(tokio::spawn(async move {
        let (content, spooled) = describe(spooled, new.name.extension(), None);
        let created = state.store.create_imported_file(&new, &content, &task, state.clock.now()).await;
        settle(
            spooled,
            created.as_ref().map_or_else(StoreError::is_unclear, |created| matches!(created, Created::New(_))),
        );
        created
    }))
    .await
}

/// Puts spooled bytes in place of a file's. Goes on if the caller is dropped.
pub(crate) async fn replace_file(
    state: &AppState,
    spooled: Spooled,
    old: FileRecord,
    change: FileChange,
    charset: Option<String>,
) -> Result<FileRecord, ApiError> {
    let state = state.clone();
    let key: FileKey = old.key;
    finished(tokio::spawn(async move {
        let (content, spooled) = describe(spooled, &old.extension, charset.as_deref());
        let replaced = state.store.replace_file(key, &content, &change, state.clock.now()).await;
        settle(spooled, replaced.as_ref().map_or_else(StoreError::is_unclear, |_| true));
        replaced
    }))
    .await
}

/// The name of a file that came without one: the beginning of its checksum, and what its content usually ends in.
pub(crate) fn name_by_content(spooled: &Spooled) -> Result<FileName, NameError> {
    let stem = spooled.md5.get(..12).unwrap_or("file");
    FileName::from_parts(stem, inspect::inspect(&spooled.head, "", None).usual_extension)
}

fn describe(spooled: Spooled, extension: &str, charset: Option<&str>) -> (Content, Spooled) {
    let found = inspect::inspect(&spooled.head, extension, charset);
    let (width, height) = found.dimensions.unzip();
    let content = Content {
        blob: spooled.blob.id().clone(),
        size: spooled.size,
        md5: spooled.md5.clone(),
        sha256: spooled.sha256.clone(),
        kind: found.kind,
        media_type: found.media_type,
        encoding: found.encoding,
        width,
        height,
    };
    (content, spooled)
}

/// Leaves the bytes to the row that names them. If nobody knows whether it does, the bytes stay too, and the sweep of
/// the next start decides.
fn settle(spooled: Spooled, keep: bool) {
    if keep {
        spooled.blob.keep();
    }
}

async fn finished<T>(task: tokio::task::JoinHandle<Result<T, StoreError>>) -> Result<T, ApiError> {
    match task.await {
        Ok(result) => result.map_err(ApiError::from),
        Err(error) => Err(ApiError::internal("store a file", &error)),
    }
}
