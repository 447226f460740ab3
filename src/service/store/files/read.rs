//! A file by its id or path. Deleted and expired files are not found.

use jiff::Timestamp;

use crate::service::domain::names::FilePath;
use crate::service::store::database::Store;
use crate::service::store::error::StoreError;
use crate::service::store::folders::find_folder;
use crate::service::store::records::{FileKey, FileRecord};
use crate::service::store::sql::Tables;

impl Store {
    pub(crate) async fn file(
        &self,
        key: FileKey,
        now: Timestamp,
    ) -> Result<FileRecord, StoreError> {
        self.read(move |tables| live_file(tables, key, now)).await
    }

    pub(crate) async fn file_at(
        &self,
        path: &FilePath,
        now: Timestamp,
    ) -> Result<Option<FileRecord>, StoreError> {
        let path = path.clone();
        self.read(move |tables| {
            let folder = match find_folder(tables, &path.folder) {
                Ok(folder) => folder.map(|folder| folder.key),
                Err(StoreError::FolderMissing(_)) => return Ok(None),
                Err(error) => return Err(error),
            };
            Ok(tables
                .file_named(folder, &path.name)?
                .filter(|file| !is_expired(file, now)))
        })
        .await
    }
}

pub(super) fn live_file(
    tables: &dyn Tables,
    key: FileKey,
    now: Timestamp,
) -> Result<FileRecord, StoreError> {
    tables
        .live_file(key, now)?
        .ok_or(StoreError::FileMissing(key.0))
}

pub(super) fn is_expired(file: &FileRecord, now: Timestamp) -> bool {
    file.expires_at.is_some_and(|due| due <= now)
}
