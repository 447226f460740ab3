//! Renames and moves of folders. One transaction changes the folder's own row and the paths of the
//! folders below it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::read::{find_placement, live_folder};
use crate::api::ids::TaskId;
use crate::service::domain::names::{NameError, child_path};
use crate::service::policy;
use crate::service::store::database::Store;
use crate::service::store::error::StoreError;
use crate::service::store::placement::Placement;
use crate::service::store::records::{FolderKey, FolderRecord};
use crate::service::store::sql::Tables;
use crate::service::store::tasks::complete;

/// The changes to make; `None` leaves a property as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FolderChange {
    pub(crate) name: Option<String>,
    pub(crate) parent: Option<Placement>,
}

impl Store {
    /// Renames and moves a folder. Fails if the name is taken, the parent does not exist or is
    /// inside the folder, or a path would become too long or too deep.
    pub(crate) async fn relocate_folder(
        &self,
        key: FolderKey,
        change: &FolderChange,
        now: Timestamp,
    ) -> Result<FolderRecord, StoreError> {
        let change = change.clone();
        self.write(move |tables| relocate(tables, key, &change, now))
            .await
    }

    /// Like `relocate_folder`, but also makes the task COMPLETE, so that neither happens without
    /// the other.
    pub(crate) async fn carry_out_relocation(
        &self,
        key: FolderKey,
        change: &FolderChange,
        task: &TaskId,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let (change, task) = (change.clone(), task.clone());
        self.write(move |tables| {
            relocate(tables, key, &change, now)?;
            complete(tables, &task, key.0, now)
        })
        .await
    }

    /// Fails if `relocate_folder` would fail now; changes nothing.
    pub(crate) async fn check_relocation(
        &self,
        key: FolderKey,
        change: &FolderChange,
    ) -> Result<(), StoreError> {
        let change = change.clone();
        self.read(move |tables| relocated(tables, &live_folder(tables, key)?, &change).map(drop))
            .await
    }
}

fn relocate(
    tables: &dyn Tables,
    key: FolderKey,
    change: &FolderChange,
    now: Timestamp,
) -> Result<FolderRecord, StoreError> {
    let old = live_folder(tables, key)?;
    let new = FolderRecord {
        updated_at: now,
        ..relocated(tables, &old, change)?
    };
    tables.relocate_folder(&new)?;
    tables.repath_below(&old.path, &new.path)?;
    live_folder(tables, key)
}

fn relocated(
    tables: &dyn Tables,
    old: &FolderRecord,
    change: &FolderChange,
) -> Result<FolderRecord, StoreError> {
    let parent = match change.parent.clone().or(old.parent.map(Placement::Folder)) {
        Some(placement) => find_placement(tables, &placement)?,
        None => None,
    };
    let parent_path = parent.as_ref().map_or("", |parent| &parent.path);
    if parent_path == old.path || parent_path.starts_with(&format!("{}/", old.path)) {
        return Err(StoreError::IntoItself);
    }
    let name = change.name.clone().unwrap_or_else(|| old.name.clone());
    let path = child_path(parent_path, &name)?;
    if tables
        .folder_at(&path)?
        .is_some_and(|other| other.key != old.key)
    {
        return Err(StoreError::NameTaken(path));
    }
    check_below(tables, &old.path, &path)?;
    Ok(FolderRecord {
        parent: parent.map(|parent| parent.key),
        name,
        path,
        ..old.clone()
    })
}

/// Checks that the new paths of the folders below are neither too long nor too deep.
fn check_below(tables: &dyn Tables, old: &str, new: &str) -> Result<(), StoreError> {
    let (longest, deepest) = tables.longest_below(old)?;
    let after = |most: usize, old: usize, new: usize| most.saturating_sub(old).saturating_add(new);
    let depth = |path: &str| path.matches('/').count();
    if after(longest, old.len(), new.len()) > policy::MAX_PATH_BYTES {
        return Err(NameError::PathTooLong.into());
    }
    if after(deepest, depth(old), depth(new)) > policy::MAX_DEPTH {
        return Err(NameError::TooDeep.into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::domain::names::FolderPath;
    use crate::service::store::query_plans::store;

    #[tokio::test]
    async fn folders_below_go_along_and_those_named_alike_stay() {
        let (_dir, store) = store().await;
        let now = Timestamp::UNIX_EPOCH;
        let root = Placement::Path(FolderPath::parse("/").unwrap());
        let made = async |parent: &Placement, name: &str| {
            store.create_folder(parent, name, now).await.unwrap()
        };
        let moved = made(&root, "été").await;
        let below = made(&Placement::Folder(moved.key), "a").await;
        let deep = made(&Placement::Folder(below.key), "é").await;
        let alike = [
            made(&root, "été-").await,
            made(&root, "été0").await,
            made(&root, "été.x").await,
        ];
        let change = FolderChange {
            name: Some("summer".to_owned()),
            parent: None,
        };
        store.check_relocation(moved.key, &change).await.unwrap();
        store
            .relocate_folder(moved.key, &change, now)
            .await
            .unwrap();
        for (key, path) in [(below.key, "/summer/a"), (deep.key, "/summer/a/é")] {
            assert_eq!(store.folder(key).await.unwrap().path, path);
        }
        for folder in alike {
            assert_eq!(store.folder(folder.key).await.unwrap().path, folder.path);
        }
    }
}
