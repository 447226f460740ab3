//! The end of files: marked for erasure, by request or because their time is over, and erased.

use jiff::Timestamp;

use crate::service::store::database::Store;
use crate::service::store::error::StoreError;
use crate::service::store::records::FileKey;
use crate::service::store::service_flags::{ServiceFlag, mark_from};
use crate::service::store::tasks::erase_tasks_of;
use crate::service::store::unused_blobs::release_blob;
use crate::service::store::values::{millis, time};

const EXPIRE: &str = "UPDATE files SET deleted_at = COALESCE(deleted_at, $1), erase_from = $1
     WHERE expires_at IS NOT NULL AND expires_at <= $1 AND erase_from IS NULL";
const NEXT_EXPIRY: &str = "SELECT MIN(expires_at) FROM files WHERE expires_at IS NOT NULL AND erase_from IS NULL";
const TO_ERASE: &str = "SELECT id FROM files WHERE erase_from IS NOT NULL ORDER BY erase_from LIMIT $1";
const ERASE: &str = "DELETE FROM files WHERE id = $1 AND erase_from IS NOT NULL RETURNING blob, erase_from";

impl Store {
    /// Marks a file, deleted or not, to be erased from `now` on. A file that is gone permanently is missing.
    pub(crate) async fn request_erasure(&self, key: FileKey, now: Timestamp) -> Result<(), StoreError> {
        let change = self.group.commit(move |connection| {
            Box::pin(async move {
                let changed = sqlx::query(
                    "UPDATE files SET deleted_at = COALESCE(deleted_at, $1), erase_from = COALESCE(erase_from, $1)
                     WHERE id = $2",
                )
                .bind(millis(now))
                .bind(key.0)
                .execute(connection)
                .await?;
                if changed.rows_affected() == 0 { Err(StoreError::FileMissing(key.0)) } else { Ok(()) }
            })
        });
        change.await
    }

    /// Marks files whose time is over as deleted and to be erased. Returns how many.
    pub(crate) async fn expire_files(&self, now: Timestamp) -> Result<u64, StoreError> {
        let changed = sqlx::query(EXPIRE).bind(millis(now)).execute(&self.writer).await?;
        Ok(changed.rows_affected())
    }

    /// When the next file is due to expire.
    pub(crate) async fn next_expiry(&self) -> Result<Option<Timestamp>, StoreError> {
        let due: Option<i64> = sqlx::query_scalar(NEXT_EXPIRY).fetch_one(&self.readers).await?;
        Ok(due.map(time).transpose()?)
    }

    /// Files that are to be erased, oldest request first.
    pub(crate) async fn files_to_erase(&self, limit: u32) -> Result<Vec<FileKey>, StoreError> {
        let ids: Vec<i64> = sqlx::query_scalar(TO_ERASE).bind(limit).fetch_all(&self.readers).await?;
        Ok(ids.into_iter().map(FileKey).collect())
    }

    /// Removes the rows of files that are to be erased and hands their blobs over to the clean-up.
    pub(crate) async fn erase_files(&self, keys: &[FileKey]) -> Result<(), StoreError> {
        let mut transaction = self.writer.begin().await?;
        for key in keys {
            let erased: Option<(String, i64)> =
                sqlx::query_as(ERASE).bind(key.0).fetch_optional(&mut *transaction).await?;
            if let Some((blob, since)) = erased {
                let since = time(since)?;
                release_blob(&mut transaction, &blob, since).await?;
                erase_tasks_of(&mut transaction, *key).await?;
                mark_from(&mut transaction, ServiceFlag::Unscrubbed, since).await?;
            }
        }
        Ok(transaction.commit().await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::store::query_plans::{plan, store};

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
