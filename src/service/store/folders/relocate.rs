//! A folder's new name or place, in one transaction: its own row and the paths of the folders below it change.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sqlx::SqliteConnection;

use super::read::{find_placement, folder_at, live_folder};
use crate::service::names::{child_path, fold};
use crate::service::store::database::Store;
use crate::service::store::error::StoreError;
use crate::service::store::placement::Placement;
use crate::service::store::records::{FolderKey, FolderRecord};
use crate::service::store::values::millis;

/// What to change; `None` leaves it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FolderChange {
    pub(crate) name: Option<String>,
    pub(crate) parent: Option<Placement>,
}

impl Store {
    /// Renames and moves a folder. Refused: a name that is taken, a parent that is missing, a place below itself.
    pub(crate) async fn relocate_folder(
        &self,
        key: FolderKey,
        change: &FolderChange,
        now: Timestamp,
    ) -> Result<FolderRecord, StoreError> {
        let mut transaction = self.writer.begin().await?;
        let record = relocate(&mut transaction, key, change, now).await?;
        transaction.commit().await?;
        Ok(record)
    }

    /// Fails as `relocate_folder` would now; changes nothing.
    pub(crate) async fn try_relocation(
        &self,
        key: FolderKey,
        change: &FolderChange,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let mut transaction = self.writer.begin().await?;
        relocate(&mut transaction, key, change, now).await?;
        Ok(transaction.rollback().await?)
    }
}

async fn relocate(
    connection: &mut SqliteConnection,
    key: FolderKey,
    change: &FolderChange,
    now: Timestamp,
) -> Result<FolderRecord, StoreError> {
    let old = live_folder(&mut *connection, key).await?;
    let parent = match change.parent.clone().or(old.parent.map(Placement::Folder)) {
        Some(placement) => find_placement(&mut *connection, &placement).await?,
        None => None,
    };
    let parent_path = parent.as_ref().map_or("", |parent| &parent.path);
    if parent_path == old.path || parent_path.starts_with(&format!("{}/", old.path)) {
        return Err(StoreError::IntoItself);
    }
    let name = change.name.as_deref().unwrap_or(&old.name);
    let path = child_path(parent_path, name)?;
    if folder_at(&mut *connection, &path).await?.is_some_and(|other| other.key != key) {
        return Err(StoreError::NameTaken(path));
    }
    sqlx::query(
        "UPDATE folders SET parent_id = $1, name = $2, name_folded = $3, path = $4, updated_at = $5 WHERE id = $6",
    )
    .bind(parent.map(|parent| parent.key.0))
    .bind(name)
    .bind(fold(name))
    .bind(&path)
    .bind(millis(now))
    .bind(key.0)
    .execute(&mut *connection)
    .await?;
    repath_children(&mut *connection, key, path).await?;
    live_folder(connection, key).await
}

/// Gives every live folder below its new path, level by level; too long or deep a path refuses the whole change.
async fn repath_children(connection: &mut SqliteConnection, key: FolderKey, path: String) -> Result<(), StoreError> {
    let mut parents = vec![(key.0, path)];
    while let Some((parent, parent_path)) = parents.pop() {
        let children: Vec<(i64, String)> =
            sqlx::query_as("SELECT id, name FROM folders WHERE parent_id = $1 AND deleted_at IS NULL")
                .bind(parent)
                .fetch_all(&mut *connection)
                .await?;
        for (id, name) in children {
            let path = child_path(&parent_path, &name)?;
            sqlx::query("UPDATE folders SET path = $1 WHERE id = $2")
                .bind(&path)
                .bind(id)
                .execute(&mut *connection)
                .await?;
            parents.push((id, path));
        }
    }
    Ok(())
}
