//! A folder by its id or path. Deleted folders are not found.

use crate::service::domain::names::FolderPath;
use crate::service::store::database::Store;
use crate::service::store::error::StoreError;
use crate::service::store::placement::Placement;
use crate::service::store::records::{FolderKey, FolderRecord};
use crate::service::store::sql::Tables;

impl Store {
    pub(crate) async fn folder(&self, key: FolderKey) -> Result<FolderRecord, StoreError> {
        self.read(move |tables| live_folder(tables, key)).await
    }

    /// Returns the folder at a path; `None` for the root, too, which has no row.
    pub(crate) async fn folder_at(
        &self,
        path: &FolderPath,
    ) -> Result<Option<FolderRecord>, StoreError> {
        let path = path.to_string();
        self.read(move |tables| tables.folder_at(&path)).await
    }
}

pub(super) fn live_folder(tables: &dyn Tables, key: FolderKey) -> Result<FolderRecord, StoreError> {
    tables
        .folder(key)?
        .ok_or_else(|| StoreError::FolderMissing(format!("id {}", key.0)))
}

/// Returns the folder at a path, which must exist; `None` for the root.
pub(crate) fn find_folder(
    tables: &dyn Tables,
    path: &FolderPath,
) -> Result<Option<FolderRecord>, StoreError> {
    if path.names().is_empty() {
        return Ok(None);
    }
    let path = path.to_string();
    tables
        .folder_at(&path)?
        .ok_or(StoreError::FolderMissing(path))
        .map(Some)
}

/// Returns the folder of a placement, which must exist; `None` for the root.
pub(crate) fn find_placement(
    tables: &dyn Tables,
    placement: &Placement,
) -> Result<Option<FolderRecord>, StoreError> {
    match placement {
        Placement::Folder(key) => live_folder(tables, *key).map(Some),
        Placement::Path(path) => find_folder(tables, path),
    }
}
