//! One file by id, by path, or by what it holds. Deleted and expired files are not there.

use jiff::Timestamp;
use sqlx::SqliteConnection;

use crate::service::domain::names::FilePath;
use crate::service::store::database::Store;
use crate::service::store::error::StoreError;
use crate::service::store::folders::find_folder;
use crate::service::store::records::{FileKey, FileRecord, FolderKey, select_files, select_live_files};
use crate::service::store::rows;
use crate::service::store::values::millis;

impl Store {
    pub(crate) async fn file(&self, key: FileKey, now: Timestamp) -> Result<FileRecord, StoreError> {
        match self.lookup.file(key).await {
            Some(found) => found.filter(|file| !is_expired(file, now)).ok_or(StoreError::FileMissing(key.0)),
            // Asked alone, for the error that belongs to it.
            None => live_file(&mut *self.readers.acquire().await?, key, now).await,
        }
    }

    /// The file at a path, if there is one.
    pub(crate) async fn file_at(&self, path: &FilePath, now: Timestamp) -> Result<Option<FileRecord>, StoreError> {
        let mut connection = self.readers.acquire().await?;
        let folder = match find_folder(&mut connection, &path.folder).await {
            Ok(folder) => folder.map(|folder| folder.key),
            Err(StoreError::FolderMissing(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        Ok(file_named(&mut connection, folder, &path.name).await?.filter(|file| !is_expired(file, now)))
    }
}

/// A file that is neither deleted nor expired.
pub(crate) async fn live_file(
    connection: &mut SqliteConnection,
    key: FileKey,
    now: Timestamp,
) -> Result<FileRecord, StoreError> {
    let record: Option<String> = sqlx::query_scalar(select_live_files!("$1 AND f.id = $2"))
        .bind(millis(now))
        .bind(key.0)
        .fetch_optional(connection)
        .await?;
    Ok(rows::read(&record.ok_or(StoreError::FileMissing(key.0))?)?)
}

/// The file of this name in the folder, which may be past its time.
pub(crate) async fn file_named(
    connection: &mut SqliteConnection,
    folder: Option<FolderKey>,
    full_name: &str,
) -> Result<Option<FileRecord>, StoreError> {
    let record: Option<String> = sqlx::query_scalar(select_files!(
        "WHERE COALESCE(f.folder_id, 0) = $1 AND f.full_name = $2 AND f.deleted_at IS NULL"
    ))
    .bind(folder.map_or(0, |folder| folder.0))
    .bind(full_name)
    .fetch_optional(connection)
    .await?;
    Ok(record.as_deref().map(rows::read).transpose()?)
}

pub(super) fn is_expired(file: &FileRecord, now: Timestamp) -> bool {
    file.expires_at.is_some_and(|due| due <= now)
}
