//! One file by id, by path, or by what it holds. Deleted and expired files are not there.

use jiff::Timestamp;
use rusqlite::{Connection, params};

use crate::service::domain::names::FilePath;
use crate::service::store::error::StoreError;
use crate::service::store::folders::find_folder;
use crate::service::store::records::{FileKey, FileRecord, FolderKey, file, select_files, select_live_files};
use crate::service::store::sqlite::database::Store;
use crate::service::store::sqlite::statements::first;
use crate::service::store::sqlite::values::millis;

impl Store {
    pub(crate) async fn file(&self, key: FileKey, now: Timestamp) -> Result<FileRecord, StoreError> {
        self.read(move |connection| live_file(connection, key, now)).await
    }

    /// The file at a path, if there is one.
    pub(crate) async fn file_at(&self, path: &FilePath, now: Timestamp) -> Result<Option<FileRecord>, StoreError> {
        let path = path.clone();
        self.read(move |connection| {
            let folder = match find_folder(connection, &path.folder) {
                Ok(folder) => folder.map(|folder| folder.key),
                Err(StoreError::FolderMissing(_)) => return Ok(None),
                Err(error) => return Err(error),
            };
            Ok(file_named(connection, folder, &path.name)?.filter(|file| !is_expired(file, now)))
        })
        .await
    }
}

/// A file that is neither deleted nor expired.
pub(crate) fn live_file(connection: &Connection, key: FileKey, now: Timestamp) -> Result<FileRecord, StoreError> {
    let found = first(connection, select_live_files!("?1 AND f.id = ?2"), params![millis(now), key], file)?;
    found.ok_or(StoreError::FileMissing(key.0))
}

/// The file of this name in the folder, which may be past its time.
pub(crate) fn file_named(
    connection: &Connection,
    folder: Option<FolderKey>,
    full_name: &str,
) -> Result<Option<FileRecord>, StoreError> {
    let named = select_files!("WHERE COALESCE(f.folder_id, 0) = ?1 AND f.full_name = ?2 AND f.deleted_at IS NULL");
    Ok(first(connection, named, params![folder.map_or(0, |folder| folder.0), full_name], file)?)
}

pub(super) fn is_expired(file: &FileRecord, now: Timestamp) -> bool {
    file.expires_at.is_some_and(|due| due <= now)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::store::sqlite::query_plans;

    #[tokio::test]
    async fn a_row_that_cannot_be_read_fails_for_its_own_asker_alone() {
        let (_dir, store) = query_plans::store().await;
        let rows = "INSERT INTO files (id, stem, stem_folded, extension, full_name, blob, size, md5, digest, kind,
               media_type, access, usable, source_group, created_at, updated_at)
             SELECT value, value || '', value, '', value, value || '', iif(value = 2, -1, 1), '', '', 'OTHER', 'text/plain',
               'PRIVATE', 1, 'CONTENT', 0, 0 FROM json_each('[1, 2, 3]')";
        query_plans::carry_out(&store, rows).await;
        let ask = |key| store.file(FileKey(key), Timestamp::UNIX_EPOCH);
        let (first, damaged, third) = tokio::join!(ask(1), ask(2), ask(3));
        assert!(first.is_ok() && third.is_ok());
        assert!(matches!(damaged, Err(StoreError::Database(..))));
        assert!(matches!(ask(4).await, Err(StoreError::FileMissing(4))));
    }
}
