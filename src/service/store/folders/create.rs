//! New folders: one by name, or all that a path is missing.

use jiff::Timestamp;
use sqlx::SqliteConnection;

use super::read::{find_placement, folder_at, live_folder};
use crate::service::domain::names::{FolderPath, child_path, fold};
use crate::service::store::database::{Store, next_id};
use crate::service::store::error::StoreError;
use crate::service::store::placement::Placement;
use crate::service::store::records::{FolderKey, FolderRecord};
use crate::service::store::values::millis;

impl Store {
    /// Creates a folder in one that exists.
    pub(crate) async fn create_folder(
        &self,
        parent: &Placement,
        name: &str,
        now: Timestamp,
    ) -> Result<FolderRecord, StoreError> {
        let mut transaction = self.writer.begin().await?;
        let parent = find_placement(&mut transaction, parent).await?;
        let path = child_path(parent.as_ref().map_or("", |parent| &parent.path), name)?;
        if folder_at(&mut transaction, &path).await?.is_some() {
            return Err(StoreError::NameTaken(path));
        }
        let key = insert(&mut transaction, parent.map(|parent| parent.key), name, &path, now).await?;
        let record = live_folder(&mut transaction, key).await?;
        transaction.commit().await?;
        Ok(record)
    }
}

/// Walks down the path and creates what is missing; `None` for the root.
pub(crate) async fn find_or_create_folder(
    connection: &mut SqliteConnection,
    path: &FolderPath,
    now: Timestamp,
) -> Result<Option<FolderKey>, StoreError> {
    let mut parent = None;
    let mut parent_path = String::new();
    for name in path.names() {
        let path = child_path(&parent_path, name)?;
        parent = Some(match folder_at(connection, &path).await? {
            Some(folder) => folder.key,
            None => insert(connection, parent, name, &path, now).await?,
        });
        parent_path = path;
    }
    Ok(parent)
}

async fn insert(
    connection: &mut SqliteConnection,
    parent: Option<FolderKey>,
    name: &str,
    path: &str,
    now: Timestamp,
) -> Result<FolderKey, StoreError> {
    let id = next_id(connection).await?;
    sqlx::query(
        "INSERT INTO folders (id, parent_id, name, name_folded, path, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $6)",
    )
    .bind(id)
    .bind(parent.map(|parent| parent.0))
    .bind(name)
    .bind(fold(name))
    .bind(path)
    .bind(millis(now))
    .execute(connection)
    .await?;
    Ok(FolderKey(id))
}
