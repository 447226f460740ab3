//! New folders: one by name, or all that a path is missing.

use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::read::{find_placement, folder_at, live_folder};
use crate::service::domain::names::{FolderPath, child_path, fold};
use crate::service::store::error::StoreError;
use crate::service::store::placement::Placement;
use crate::service::store::records::{FolderKey, FolderRecord};
use crate::service::store::sqlite::database::Store;
use crate::service::store::sqlite::ids::next_id;
use crate::service::store::sqlite::statements::execute;
use crate::service::store::sqlite::values::millis;

impl Store {
    /// Creates a folder in one that exists.
    pub(crate) async fn create_folder(
        &self,
        parent: &Placement,
        name: &str,
        now: Timestamp,
    ) -> Result<FolderRecord, StoreError> {
        let (parent, name) = (parent.clone(), name.to_owned());
        self.write(move |transaction| {
            let parent = find_placement(transaction, &parent)?;
            let path = child_path(parent.as_ref().map_or("", |parent| &parent.path), &name)?;
            if folder_at(transaction, &path)?.is_some() {
                return Err(StoreError::NameTaken(path));
            }
            let key = insert(transaction, parent.map(|parent| parent.key), &name, &path, now)?;
            live_folder(transaction, key)
        })
        .await
    }
}

/// Walks down the path and creates what is missing; `None` for the root.
pub(crate) fn find_or_create_folder(
    connection: &Connection,
    path: &FolderPath,
    now: Timestamp,
) -> Result<Option<FolderKey>, StoreError> {
    let mut parent = None;
    let mut parent_path = String::new();
    for name in path.names() {
        let path = child_path(&parent_path, name)?;
        parent = Some(match folder_at(connection, &path)? {
            Some(folder) => folder.key,
            None => insert(connection, parent, name, &path, now)?,
        });
        parent_path = path;
    }
    Ok(parent)
}

fn insert(
    connection: &Connection,
    parent: Option<FolderKey>,
    name: &str,
    path: &str,
    now: Timestamp,
) -> Result<FolderKey, StoreError> {
    let key = FolderKey(next_id(connection)?);
    execute(
        connection,
        "INSERT INTO folders (id, parent_id, name, name_folded, path, created_at, updated_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)",
        params![key, parent, name, fold(name), path, millis(now)],
    )?;
    Ok(key)
}
