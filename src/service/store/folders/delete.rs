//! A folder marked as deleted, with everything in it; and the end of its row, once nothing refers to it.

use jiff::Timestamp;
use rusqlite::params;

use super::read::live_folder;
use crate::service::policy;
use crate::service::store::error::StoreError;
use crate::service::store::records::FolderKey;
use crate::service::store::service_flags::{ServiceFlag, mark_from};
use crate::service::store::sqlite::database::Store;
use crate::service::store::sqlite::statements::{execute, value};
use crate::service::store::sqlite::values::millis;

/// The ids of a folder and of all folders below it; `?1` is the folder's.
macro_rules! with_tree {
    ($statement:literal) => {
        concat!(
            "WITH RECURSIVE tree (id) AS (SELECT ?1 UNION ALL ",
            "SELECT folders.id FROM folders JOIN tree ON folders.parent_id = tree.id WHERE folders.deleted_at IS NULL) ",
            $statement
        )
    };
}

impl Store {
    /// Marks the folder and what is in it as deleted, in one transaction.
    pub(crate) async fn delete_folder(&self, key: FolderKey, now: Timestamp) -> Result<(), StoreError> {
        self.write(move |transaction| {
            live_folder(transaction, key)?;
            let files = with_tree!(
                "UPDATE files SET deleted_at = ?2 WHERE deleted_at IS NULL AND folder_id IN (SELECT id FROM tree)"
            );
            let files = execute(transaction, files, params![key, millis(now)])?;
            let folders = with_tree!(
                "UPDATE folders SET deleted_at = ?2 WHERE deleted_at IS NULL AND id IN (SELECT id FROM tree)"
            );
            let folders = execute(transaction, folders, params![key, millis(now)])?;
            if !policy::FOLDER_DELETE_IS_RECURSIVE && files + folders > 1 {
                return Err(StoreError::NotEmpty);
            }
            Ok(())
        })
        .await
    }

    /// Removes the rows of deleted folders that hold no row of a file or folder anymore. True if there were any.
    pub(crate) async fn purge_folders(&self, now: Timestamp) -> Result<bool, StoreError> {
        let any = "SELECT EXISTS (SELECT 1 FROM folders WHERE deleted_at IS NOT NULL)";
        if !self.read(move |connection| Ok(value(connection, any, [])?)).await? {
            return Ok(false);
        }
        self.write(move |transaction| {
            let purge = "DELETE FROM folders WHERE deleted_at IS NOT NULL
                   AND NOT EXISTS (SELECT 1 FROM files WHERE files.folder_id = folders.id)
                   AND NOT EXISTS (SELECT 1 FROM folders AS below WHERE below.parent_id = folders.id)";
            let mut purged = false;
            while execute(transaction, purge, [])? > 0 {
                purged = true;
            }
            if purged {
                mark_from(transaction, ServiceFlag::Unscrubbed, now)?;
            }
            Ok(purged)
        })
        .await
    }
}
