//! Creation of folders: a single one by name, or all missing folders of a path.

use jiff::Timestamp;

use super::read::{find_placement, live_folder};
use crate::service::domain::names::{FolderPath, child_path};
use crate::service::store::database::Store;
use crate::service::store::error::StoreError;
use crate::service::store::placement::Placement;
use crate::service::store::records::{FolderKey, FolderRecord};
use crate::service::store::sql::Tables;

impl Store {
    pub(crate) async fn create_folder(
        &self,
        parent: &Placement,
        name: &str,
        now: Timestamp,
    ) -> Result<FolderRecord, StoreError> {
        let (parent, name) = (parent.clone(), name.to_owned());
        self.write(move |tables| {
            let parent = find_placement(tables, &parent)?;
            let path = child_path(parent.as_ref().map_or("", |parent| &parent.path), &name)?;
            if tables.folder_at(&path)?.is_some() {
                return Err(StoreError::NameTaken(path));
            }
            let key = insert(tables, parent.map(|parent| parent.key), &name, &path, now)?;
            live_folder(tables, key)
        })
        .await
    }
}

/// Walks down the path and creates missing folders; returns `None` for the root.
pub(crate) fn find_or_create_folder(
    tables: &dyn Tables,
    path: &FolderPath,
    now: Timestamp,
) -> Result<Option<FolderKey>, StoreError> {
    let mut parent = None;
    let mut parent_path = String::new();
    for name in path.names() {
        let path = child_path(&parent_path, name)?;
        parent = Some(match tables.folder_at(&path)? {
            Some(folder) => folder.key,
            None => insert(tables, parent, name, &path, now)?,
        });
        parent_path = path;
    }
    Ok(parent)
}

fn insert(
    tables: &dyn Tables,
    parent: Option<FolderKey>,
    name: &str,
    path: &str,
    now: Timestamp,
) -> Result<FolderKey, StoreError> {
    let key = FolderKey(tables.next_id()?);
    tables.insert_folder(&FolderRecord {
        key,
        parent,
        name: name.to_owned(),
        path: path.to_owned(),
        created_at: now,
        updated_at: now,
        deleted_at: None,
    })?;
    Ok(key)
}
