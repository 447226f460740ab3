//! The end of files: marked for erasure, by request or because their time is over, and erased.

use jiff::Timestamp;
use rusqlite::params;

use crate::service::store::error::StoreError;
use crate::service::store::records::FileKey;
use crate::service::store::service_flags::{ServiceFlag, mark_from};
use crate::service::store::sqlite::database::Store;
use crate::service::store::sqlite::statements::{all, execute, first, value};
use crate::service::store::sqlite::values::{StoredTime, millis, time};
use crate::service::store::tasks::erase_tasks_of;
use crate::service::store::unused_blobs::release_blob;

const EXPIRE: &str = "UPDATE files SET deleted_at = COALESCE(deleted_at, ?1), erase_from = ?1
     WHERE expires_at IS NOT NULL AND expires_at <= ?1 AND erase_from IS NULL";
const NEXT_EXPIRY: &str = "SELECT MIN(expires_at) FROM files WHERE expires_at IS NOT NULL AND erase_from IS NULL";
const TO_ERASE: &str = "SELECT id FROM files WHERE erase_from IS NOT NULL ORDER BY erase_from LIMIT ?1";
const ERASE: &str = "DELETE FROM files WHERE id = ?1 AND erase_from IS NOT NULL RETURNING blob, erase_from";

impl Store {
    /// Marks a file, deleted or not, to be erased from `now` on. A file that is gone permanently is missing.
    pub(crate) async fn request_erasure(&self, key: FileKey, now: Timestamp) -> Result<(), StoreError> {
        self.write(move |transaction| {
            let request =
                "UPDATE files SET deleted_at = COALESCE(deleted_at, ?1), erase_from = COALESCE(erase_from, ?1)
                 WHERE id = ?2";
            match execute(transaction, request, params![millis(now), key])? {
                0 => Err(StoreError::FileMissing(key.0)),
                _ => Ok(()),
            }
        })
        .await
    }

    /// Marks files whose time is over as deleted and to be erased. Returns how many.
    pub(crate) async fn expire_files(&self, now: Timestamp) -> Result<usize, StoreError> {
        self.write(move |transaction| Ok(execute(transaction, EXPIRE, [millis(now)])?)).await
    }

    /// When the next file is due to expire.
    pub(crate) async fn next_expiry(&self) -> Result<Option<Timestamp>, StoreError> {
        let due: Option<StoredTime> = self.read(|connection| Ok(value(connection, NEXT_EXPIRY, [])?)).await?;
        Ok(due.map(|StoredTime(due)| due))
    }

    /// Files that are to be erased, oldest request first.
    pub(crate) async fn files_to_erase(&self, limit: u32) -> Result<Vec<FileKey>, StoreError> {
        self.read(move |connection| Ok(all(connection, TO_ERASE, [limit], |row| row.get(0))?)).await
    }

    /// Removes the rows of files that are to be erased and hands their blobs over to the clean-up.
    pub(crate) async fn erase_files(&self, keys: &[FileKey]) -> Result<(), StoreError> {
        let keys = keys.to_vec();
        self.write(move |transaction| {
            for key in keys {
                let erased = first(transaction, ERASE, [key], |row| Ok((row.get::<_, String>(0)?, time(row, 1)?)))?;
                if let Some((blob, since)) = erased {
                    release_blob(transaction, &blob, since)?;
                    erase_tasks_of(transaction, key)?;
                    mark_from(transaction, ServiceFlag::Unscrubbed, since)?;
                }
            }
            Ok(())
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::store::sqlite::query_plans::{plan, store};

    #[tokio::test]
    async fn what_is_due_is_found_without_a_look_at_all_files() {
        let (_dir, store) = store().await;
        for (statement, index) in [
            (EXPIRE, "files_by_expiry (expires_at>? AND expires_at<?)"),
            (NEXT_EXPIRY, "files_by_expiry"),
            (TO_ERASE, "files_by_erasure"),
            (ERASE, "sqlite_autoindex_files_1 (id=?)"),
        ] {
            let plan = plan(&store, statement).await;
            assert!(plan.contains(index) && !plan.contains("B-TREE"), "{statement}: {plan}");
        }
    }
}
