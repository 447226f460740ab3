//! A file marked as deleted: it is nowhere to be found, its bytes stay on the disk.

use jiff::Timestamp;
use sqlx::SqliteConnection;

use super::read::live_file;
use crate::service::store::database::Store;
use crate::service::store::error::StoreError;
use crate::service::store::records::FileKey;
use crate::service::store::values::millis;

impl Store {
    pub(crate) async fn delete_file(&self, key: FileKey, now: Timestamp) -> Result<(), StoreError> {
        let change = self.group.commit(move |connection| {
            Box::pin(async move {
                live_file(connection, key, now).await?;
                mark_deleted(connection, key, now).await
            })
        });
        change.await
    }
}

pub(super) async fn mark_deleted(
    connection: &mut SqliteConnection,
    key: FileKey,
    now: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query("UPDATE files SET deleted_at = $1 WHERE id = $2")
        .bind(millis(now))
        .bind(key.0)
        .execute(connection)
        .await?;
    Ok(())
}
