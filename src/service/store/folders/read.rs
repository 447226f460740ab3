//! One folder by id or by path. Deleted folders are not there.

use rusqlite::Connection;

use crate::service::domain::names::FolderPath;
use crate::service::store::error::StoreError;
use crate::service::store::placement::Placement;
use crate::service::store::records::{FolderKey, FolderRecord, folder, select_live_folders};
use crate::service::store::sqlite::database::Store;
use crate::service::store::sqlite::statements::first;

impl Store {
    pub(crate) async fn folder(&self, key: FolderKey) -> Result<FolderRecord, StoreError> {
        self.read(move |connection| live_folder(connection, key)).await
    }

    /// The folder at a path, if there is one. The root has no row.
    pub(crate) async fn folder_at(&self, path: &FolderPath) -> Result<Option<FolderRecord>, StoreError> {
        let path = path.to_string();
        self.read(move |connection| folder_at(connection, &path)).await
    }
}

pub(crate) fn live_folder(connection: &Connection, key: FolderKey) -> Result<FolderRecord, StoreError> {
    let found = first(connection, select_live_folders!(" AND f.id = ?1"), [key], folder)?;
    found.ok_or_else(|| StoreError::FolderMissing(format!("id {}", key.0)))
}

pub(crate) fn folder_at(connection: &Connection, path: &str) -> Result<Option<FolderRecord>, StoreError> {
    Ok(first(connection, select_live_folders!(" AND f.path = ?1"), [path], folder)?)
}

/// The folder of a path, which must exist; `None` for the root.
pub(crate) fn find_folder(connection: &Connection, path: &FolderPath) -> Result<Option<FolderRecord>, StoreError> {
    if path.names().is_empty() {
        return Ok(None);
    }
    let path = path.to_string();
    folder_at(connection, &path)?.ok_or(StoreError::FolderMissing(path)).map(Some)
}

/// The folder of a placement, which must exist; `None` for the root.
pub(crate) fn find_placement(
    connection: &Connection,
    placement: &Placement,
) -> Result<Option<FolderRecord>, StoreError> {
    match placement {
        Placement::Folder(key) => live_folder(connection, *key).map(Some),
        Placement::Path(path) => find_folder(connection, path),
    }
}
