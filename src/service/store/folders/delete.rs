//! A folder marked as deleted, with everything in it; and the end of its row, once nothing refers to it.

use jiff::Timestamp;

use super::read::live_folder;
use crate::service::policy;
use crate::service::store::database::Store;
use crate::service::store::error::StoreError;
use crate::service::store::records::FolderKey;
use crate::service::store::service_flags::{ServiceFlag, mark_from};
use crate::service::store::values::millis;

/// The ids of a folder and of all folders below it; `$1` is the folder's.
macro_rules! with_tree {
    ($statement:literal) => {
        concat!(
            "WITH RECURSIVE tree (id) AS (SELECT $1 UNION ALL ",
            "SELECT folders.id FROM folders JOIN tree ON folders.parent_id = tree.id WHERE folders.deleted_at IS NULL) ",
            $statement
        )
    };
}

impl Store {
    /// Marks the folder and what is in it as deleted, in one transaction.
    pub(crate) async fn delete_folder(&self, key: FolderKey, now: Timestamp) -> Result<(), StoreError> {
        let mut transaction = self.writer.begin().await?;
        live_folder(&mut transaction, key).await?;
        let files = sqlx::query(with_tree!(
            "UPDATE files SET deleted_at = $2 WHERE deleted_at IS NULL AND folder_id IN (SELECT id FROM tree)"
        ))
        .bind(key.0)
        .bind(millis(now))
        .execute(&mut *transaction)
        .await?;
        let folders = sqlx::query(with_tree!(
            "UPDATE folders SET deleted_at = $2 WHERE deleted_at IS NULL AND id IN (SELECT id FROM tree)"
        ))
        .bind(key.0)
        .bind(millis(now))
        .execute(&mut *transaction)
        .await?;
        if !policy::FOLDER_DELETE_IS_RECURSIVE && files.rows_affected() + folders.rows_affected() > 1 {
            return Err(StoreError::NotEmpty);
        }
        Ok(transaction.commit().await?)
    }

    /// Removes the rows of deleted folders that hold no row of a file or folder anymore. True if there were any.
    pub(crate) async fn purge_folders(&self, now: Timestamp) -> Result<bool, StoreError> {
        let any: bool = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM folders WHERE deleted_at IS NOT NULL)")
            .fetch_one(&self.readers)
            .await?;
        if !any {
            return Ok(false);
        }
        let mut transaction = self.writer.begin().await?;
        let mut purged = false;
        loop {
            let changed = sqlx::query(
                "DELETE FROM folders WHERE deleted_at IS NOT NULL
                   AND NOT EXISTS (SELECT 1 FROM files WHERE files.folder_id = folders.id)
                   AND NOT EXISTS (SELECT 1 FROM folders AS below WHERE below.parent_id = folders.id)",
            )
            .execute(&mut *transaction)
            .await?;
            if changed.rows_affected() == 0 {
                break;
            }
            purged = true;
        }
        if purged {
            mark_from(&mut transaction, ServiceFlag::Unscrubbed, now).await?;
        }
        transaction.commit().await?;
        Ok(purged)
    }
}
