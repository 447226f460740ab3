//! The only way to create files: uploads, imports and the sample library spool their bytes, then
//! request a file.

mod charset;
mod inspect;
mod measure;
mod spool;
mod video;

pub(crate) use charset::Charset;
pub(crate) use measure::{ContentMeasure, Measured};
pub(crate) use spool::{Spool, Spooled, too_large};

use jiff::Timestamp;
use tracing::Instrument as _;

use super::answer::error::ApiError;
use super::content::blobs::BlobId;
use super::domain::names::{FileName, NameError};
use super::state::AppState;
use super::store::{Created, FileChange, FileRecord, NewFileRow, StoreError, StoredContent};
use crate::api::ids::TaskId;

pub(crate) async fn create_file(
    state: &AppState,
    spooled: Spooled,
    new: NewFileRow,
    charset: Option<Charset>,
) -> Result<Created, ApiError> {
    let content = describe(
        &spooled.blob.id,
        &spooled.measured,
        new.name.extension(),
        charset,
    );
    let state = state.clone();
    let change = async move {
        state
            .store
            .create_file(new, content, state.clock.now())
            .await
    };
    hand_over(vec![spooled], change, is_new).await
}

pub(crate) struct ReceivedBytes {
    pub(crate) spooled: Spooled,
    pub(crate) new: NewFileRow,
    pub(crate) at: Timestamp,
}

/// Creates files from spooled bytes, all or none, in order. None of them may use `RETURN_EXISTING`.
pub(crate) async fn create_files(
    state: &AppState,
    arrived: Vec<ReceivedBytes>,
) -> Result<(), ApiError> {
    let (mut spooled, mut files) = (Vec::new(), Vec::new());
    for file in arrived {
        let content = describe(
            &file.spooled.blob.id,
            &file.spooled.measured,
            file.new.name.extension(),
            None,
        );
        spooled.push(file.spooled);
        files.push((file.new, content, file.at));
    }
    let state = state.clone();
    hand_over(
        spooled,
        async move { state.store.create_files(files).await },
        |()| true,
    )
    .await
}

/// Creates the file of an import and makes the import COMPLETE.
pub(crate) async fn import_file(
    state: &AppState,
    spooled: Spooled,
    new: NewFileRow,
    task: TaskId,
) -> Result<Created, ApiError> {
    let content = describe(
        &spooled.blob.id,
        &spooled.measured,
        new.name.extension(),
        None,
    );
    let state = state.clone();
    let change = async move {
        state
            .store
            .create_imported_file(new, content, task, state.clock.now())
            .await
    };
    hand_over(vec![spooled], change, is_new).await
}

pub(crate) async fn replace_file(
    state: &AppState,
    spooled: Spooled,
    old: FileRecord,
    change: FileChange,
    charset: Option<Charset>,
) -> Result<FileRecord, ApiError> {
    let content = describe(&spooled.blob.id, &spooled.measured, &old.extension, charset);
    let state = state.clone();
    let change = async move {
        state
            .store
            .replace_file(old.key, content, change, state.clock.now())
            .await
    };
    hand_over(vec![spooled], change, |_| true).await
}

/// Returns a name for a file without one: the start of its checksum, and the usual extension for
/// its content.
pub(crate) fn name_by_content(spooled: &Spooled) -> Result<FileName, NameError> {
    let stem = spooled.measured.md5.get(..12).unwrap_or("file");
    FileName::from_parts(
        stem,
        inspect::inspect(&spooled.measured.head, "", None).usual_extension,
    )
}

/// Describes bytes by their content and the file's extension. `charset` is the encoding that the
/// sender gave.
pub(crate) fn describe(
    blob: &BlobId,
    measured: &Measured,
    extension: &str,
    charset: Option<Charset>,
) -> StoredContent {
    let found = inspect::inspect(&measured.head, extension, charset);
    let (width, height) = found.dimensions.unzip();
    StoredContent {
        blob: blob.clone(),
        size: measured.sums.size,
        md5: measured.md5.clone(),
        digest: measured.sums.digest(),
        kind: found.kind,
        media_type: found.media_type,
        encoding: found.encoding,
        width,
        height,
        blocks: measured.sums.blocks.clone(),
    }
}

fn is_new(created: &Created) -> bool {
    matches!(created, Created::New(_))
}

/// Makes the change, after which the bytes belong to the row that names them. If it is unclear
/// whether a row does, the bytes also stay, under a pending name, and the next start decides.
/// Continues if the caller is dropped, so that bytes and row stay consistent.
async fn hand_over<T: Send + 'static>(
    spooled: Vec<Spooled>,
    change: impl Future<Output = Result<T, StoreError>> + Send + 'static,
    names_the_bytes: fn(&T) -> bool,
) -> Result<T, ApiError> {
    let stored = async move {
        let changed = change.await;
        let is_kept = match &changed {
            Ok(made) => names_the_bytes(made),
            Err(error) => error.is_unclear(),
        };
        if is_kept {
            for spooled in spooled {
                spooled.blob.keep();
            }
        }
        changed
    };
    match tokio::spawn(stored.in_current_span()).await {
        Ok(changed) => Ok(changed?),
        Err(error) => Err(ApiError::internal("store a file", &error)),
    }
}
