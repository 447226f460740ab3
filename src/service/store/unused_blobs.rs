//! Which blobs rows name, and the list of those that none names anymore. The job that reads it removes the bytes.

use jiff::Timestamp;
use rusqlite::{Connection, Row, params};

use super::error::StoreError;
use super::sqlite::database::Store;
use super::sqlite::statements::{all, execute, value};
use super::sqlite::values::{StoredTime, millis};
use crate::service::content::blobs::BlobId;

const UNUSED: &str = "SELECT blob FROM unused_blobs WHERE since <= ?1 ORDER BY since, blob LIMIT ?2";
const COUNT: &str = "UPDATE unused_blobs SET since = ?1 WHERE since > ?1";
const OLDEST: &str = "SELECT MIN(since) FROM unused_blobs";

impl Store {
    /// Blobs that no row has named since this time or longer.
    pub(crate) async fn unused_blobs(&self, since: Timestamp, limit: u32) -> Result<Vec<BlobId>, StoreError> {
        let blob = |row: &Row<'_>| row.get(0).map(BlobId::from_stored);
        self.read(move |connection| Ok(all(connection, UNUSED, params![millis(since), limit], blob)?)).await
    }

    /// Has blobs that are noted as unused from a later time on be so from now on.
    pub(crate) async fn count_unused_from(&self, now: Timestamp) -> Result<(), StoreError> {
        self.write(move |transaction| Ok(execute(transaction, COUNT, [millis(now)]).map(drop)?)).await
    }

    /// Since when the blob that has been unused longest is.
    pub(crate) async fn oldest_unused_blob(&self) -> Result<Option<Timestamp>, StoreError> {
        self.read(oldest_unused_blob).await
    }

    /// Takes blobs off the list once their bytes are gone.
    pub(crate) async fn forget_blobs<'a>(&self, blobs: impl Iterator<Item = &'a BlobId>) -> Result<(), StoreError> {
        let blobs: Vec<BlobId> = blobs.cloned().collect();
        self.write(move |transaction| {
            for blob in blobs {
                execute(transaction, "DELETE FROM unused_blobs WHERE blob = ?1", [blob.as_str()])?;
            }
            Ok(())
        })
        .await
    }
}

pub(super) fn oldest_unused_blob(connection: &Connection) -> Result<Option<Timestamp>, StoreError> {
    Ok(value::<Option<StoredTime>>(connection, OLDEST, [])?.map(|StoredTime(since)| since))
}

/// Notes that no row names a blob anymore. Its sums go at once: they say something of its bytes.
pub(super) fn release_blob(connection: &Connection, blob: &str, now: Timestamp) -> Result<(), StoreError> {
    execute(connection, "DELETE FROM block_sums WHERE blob = ?1", [blob])?;
    execute(connection, "INSERT INTO unused_blobs (blob, since) VALUES (?1, ?2)", params![blob, millis(now)])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::store::sqlite::query_plans::{plan, store};

    #[tokio::test]
    async fn bytes_that_nothing_names_are_found_by_their_age() {
        let (_dir, store) = store().await;
        for (statement, index) in [
            (UNUSED, "COVERING INDEX unused_blobs_by_age"),
            (COUNT, "INDEX unused_blobs_by_age (since>?)"),
            (OLDEST, "COVERING INDEX unused_blobs_by_age"),
        ] {
            let plan = plan(&store, statement).await;
            assert!(plan.contains(index) && !plan.contains("B-TREE"), "{statement}: {plan}");
        }
    }
}
