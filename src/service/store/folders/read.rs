//! One folder by id or by path. Deleted folders are not there.

use sqlx::SqliteConnection;

use crate::service::domain::names::FolderPath;
use crate::service::store::database::Store;
use crate::service::store::error::StoreError;
use crate::service::store::placement::Placement;
use crate::service::store::records::{FolderKey, FolderRecord, select_live_folders};
use crate::service::store::rows;

impl Store {
    pub(crate) async fn folder(&self, key: FolderKey) -> Result<FolderRecord, StoreError> {
        let mut connection = self.readers.acquire().await?;
        live_folder(&mut connection, key).await
    }

    /// The folder at a path, if there is one. The root has no row.
    pub(crate) async fn folder_at(&self, path: &FolderPath) -> Result<Option<FolderRecord>, StoreError> {
        let mut connection = self.readers.acquire().await?;
        folder_at(&mut connection, &path.to_string()).await
    }
}

pub(crate) async fn live_folder(connection: &mut SqliteConnection, key: FolderKey) -> Result<FolderRecord, StoreError> {
    let record: Option<String> =
        sqlx::query_scalar(select_live_folders!(" AND f.id = $1")).bind(key.0).fetch_optional(connection).await?;
    let record = record.ok_or_else(|| StoreError::FolderMissing(format!("id {}", key.0)))?;
    Ok(rows::read(&record)?)
}

pub(crate) async fn folder_at(
    connection: &mut SqliteConnection,
    path: &str,
) -> Result<Option<FolderRecord>, StoreError> {
    let record: Option<String> =
        sqlx::query_scalar(select_live_folders!(" AND f.path = $1")).bind(path).fetch_optional(connection).await?;
    Ok(record.as_deref().map(rows::read).transpose()?)
}

/// The folder of a path, which must exist; `None` for the root.
pub(crate) async fn find_folder(
    connection: &mut SqliteConnection,
    path: &FolderPath,
) -> Result<Option<FolderRecord>, StoreError> {
    if path.names().is_empty() {
        return Ok(None);
    }
    let path = path.to_string();
    folder_at(connection, &path).await?.ok_or(StoreError::FolderMissing(path)).map(Some)
}

/// The folder of a placement, which must exist; `None` for the root.
pub(crate) async fn find_placement(
    connection: &mut SqliteConnection,
    placement: &Placement,
) -> Result<Option<FolderRecord>, StoreError> {
    match placement {
        Placement::Folder(key) => live_folder(connection, *key).await.map(Some),
        Placement::Path(path) => find_folder(connection, path).await,
    }
}
