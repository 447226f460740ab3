//! Rows of folders. Lookups by id or path skip deleted folders.

use jiff::Timestamp;

use super::connection::{SqlRow, Tables};
use super::values::{SqlValue, values};
use crate::service::domain::names::fold;
use crate::service::store::error::StoreError;
use crate::service::store::records::{FolderKey, FolderRecord};

macro_rules! folder_columns {
    () => {
        "f.id, f.parent_id, f.name, f.path, f.created_at, f.updated_at, f.deleted_at"
    };
}
pub(in crate::service::store) use folder_columns;

/// A `SELECT` of what `folder` reads from the live `folders f`; the argument is the rest of the
/// query.
macro_rules! select_live_folders {
    ($rest:literal) => {
        concat!(
            "SELECT ",
            folder_columns!(),
            " FROM folders f WHERE f.deleted_at IS NULL",
            $rest
        )
    };
}

/// Prefixes a statement with `tree`, the ids of a folder (`?1`) and of all folders below it.
macro_rules! with_tree {
    ($statement:literal) => {
        concat!(
            "WITH RECURSIVE tree (id) AS (SELECT CAST(?1 AS BIGINT) UNION ALL ",
            "SELECT folders.id FROM folders JOIN tree ON folders.parent_id = tree.id WHERE folders.deleted_at IS NULL) ",
            $statement
        )
    };
}

/// '0' is the character after '/', so the range holds exactly the paths that start with the path
/// and a '/'.
const LONGEST_BELOW: &str = "SELECT CAST(MAX(octet_length(path)) AS BIGINT),
       CAST(MAX(length(path) - length(replace(path, '/', ''))) AS BIGINT) FROM folders
     WHERE deleted_at IS NULL AND path > CAST(?1 AS TEXT) || '/' AND path < ?1 || '0'";
const REPATH_BELOW: &str =
    "UPDATE folders SET path = CAST(?2 AS TEXT) || substr(path, length(?1) + 1)
     WHERE deleted_at IS NULL AND path > CAST(?1 AS TEXT) || '/' AND path < ?1 || '0'";

impl dyn Tables + '_ {
    pub(crate) fn folder(&self, key: FolderKey) -> Result<Option<FolderRecord>, StoreError> {
        self.first(select_live_folders!(" AND f.id = ?1"), values![key], folder)
    }

    pub(crate) fn folder_at(&self, path: &str) -> Result<Option<FolderRecord>, StoreError> {
        self.first(
            select_live_folders!(" AND f.path = ?1"),
            values![path],
            folder,
        )
    }

    pub(crate) fn insert_folder(&self, row: &FolderRecord) -> Result<(), StoreError> {
        let insert = "INSERT INTO folders (id, parent_id, name, name_folded, path, created_at, updated_at, deleted_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        let folded = fold(&row.name);
        let parameters = values![
            row.key,
            row.parent,
            &row.name,
            &folded,
            &row.path,
            row.created_at,
            row.updated_at,
            row.deleted_at,
        ];
        self.execute(insert, parameters).map(drop)
    }

    /// Returns the bytes of the longest path and the depth of the deepest path below a folder; 0 if
    /// there is none.
    pub(crate) fn longest_below(&self, path: &str) -> Result<(usize, usize), StoreError> {
        let read = |row: &dyn SqlRow| {
            let [longest, deepest] = [row.get::<Option<usize>>(0)?, row.get(1)?];
            Ok((longest.unwrap_or_default(), deepest.unwrap_or_default()))
        };
        Ok(self
            .first(LONGEST_BELOW, values![path], read)?
            .unwrap_or_default())
    }

    /// Updates the parent, name and path of a folder. The paths of the folders below it are not
    /// changed.
    pub(crate) fn relocate_folder(&self, row: &FolderRecord) -> Result<(), StoreError> {
        let relocate = "UPDATE folders SET parent_id = ?1, name = ?2, name_folded = ?3, path = ?4, updated_at = ?5 WHERE id = ?6";
        let folded = fold(&row.name);
        let parameters = values![
            row.parent,
            &row.name,
            &folded,
            &row.path,
            row.updated_at,
            row.key
        ];
        self.execute(relocate, parameters).map(drop)
    }

    /// Replaces the prefix `old` of all paths below it with `new`.
    pub(crate) fn repath_below(&self, old: &str, new: &str) -> Result<(), StoreError> {
        self.execute(REPATH_BELOW, values![old, new]).map(drop)
    }

    /// Marks a folder and its contents as deleted.
    pub(crate) fn mark_tree_deleted(
        &self,
        key: FolderKey,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let files = with_tree!(
            "UPDATE files SET deleted_at = ?2 WHERE deleted_at IS NULL AND folder_id IN (SELECT id FROM tree)"
        );
        self.execute(files, values![key, now])?;
        let folders = with_tree!(
            "UPDATE folders SET deleted_at = ?2 WHERE deleted_at IS NULL AND id IN (SELECT id FROM tree)"
        );
        self.execute(folders, values![key, now]).map(drop)
    }

    pub(crate) fn has_hidden_below(&self, key: FolderKey) -> Result<bool, StoreError> {
        let hidden = with_tree!(
            "SELECT EXISTS (SELECT 1 FROM files
               WHERE deleted_at IS NULL AND access LIKE 'HIDDEN%' AND folder_id IN (SELECT id FROM tree))"
        );
        self.value(hidden, values![key])
    }

    pub(crate) fn has_deleted_folders(&self) -> Result<bool, StoreError> {
        self.value(
            "SELECT EXISTS (SELECT 1 FROM folders WHERE deleted_at IS NOT NULL)",
            values![],
        )
    }

    /// Removes deleted folders that no row refers to. Returns their number; their parents may be
    /// removable next.
    pub(crate) fn purge_empty_folders(&self) -> Result<usize, StoreError> {
        let purge = "DELETE FROM folders WHERE deleted_at IS NOT NULL
               AND NOT EXISTS (SELECT 1 FROM files WHERE files.folder_id = folders.id)
               AND NOT EXISTS (SELECT 1 FROM folders AS below WHERE below.parent_id = folders.id)";
        self.execute(purge, values![])
    }
}

pub(in crate::service::store) fn folder(row: &dyn SqlRow) -> Result<FolderRecord, StoreError> {
    Ok(FolderRecord {
        key: row.get(0)?,
        parent: row.get(1)?,
        name: row.get(2)?,
        path: row.get(3)?,
        created_at: row.get(4)?,
        updated_at: row.get(5)?,
        deleted_at: row.get(6)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::store::query_plans::{plan, store};

    #[tokio::test]
    async fn only_the_folders_below_are_looked_at() {
        let (_dir, store) = store().await;
        for statement in [LONGEST_BELOW, REPATH_BELOW] {
            let plan = plan(&store, statement).await;
            assert!(plan.starts_with("SEARCH folders USING"), "{plan}");
            assert!(
                plan.contains("INDEX folders_by_path (path>? AND path<?)"),
                "{plan}"
            );
        }
    }
}
