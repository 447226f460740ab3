//! Which blobs rows name, and the list of those that none names anymore. The job that reads it removes the bytes.

use jiff::Timestamp;
use sqlx::SqliteConnection;

use super::database::Store;
use super::error::StoreError;
use super::values::{millis, time};
use crate::service::content::blobs::BlobId;

const UNUSED: &str = "SELECT blob FROM unused_blobs WHERE since <= $1 ORDER BY since, blob LIMIT $2";
const COUNT: &str = "UPDATE unused_blobs SET since = $1 WHERE since > $1";
const OLDEST: &str = "SELECT MIN(since) FROM unused_blobs";

impl Store {
    /// Blobs that no row has named since this time or longer.
    pub(crate) async fn unused_blobs(&self, since: Timestamp, limit: u32) -> Result<Vec<BlobId>, StoreError> {
        let blobs: Vec<String> =
            sqlx::query_scalar(UNUSED).bind(millis(since)).bind(limit).fetch_all(&self.readers).await?;
        Ok(blobs.into_iter().map(BlobId::from_stored).collect())
    }

    /// Since when the blob that has been unused longest is.
    pub(crate) async fn oldest_unused_blob(&self) -> Result<Option<Timestamp>, StoreError> {
        let since: Option<i64> = sqlx::query_scalar(OLDEST).fetch_one(&self.readers).await?;
        Ok(since.map(time).transpose()?)
    }

    /// Has blobs that are noted as unused from a later time on be so from now on.
    pub(crate) async fn count_unused_from(&self, now: Timestamp) -> Result<(), StoreError> {
        sqlx::query(COUNT).bind(millis(now)).execute(&self.writer).await?;
        Ok(())
    }

    /// Takes blobs off the list once their bytes are gone.
    pub(crate) async fn forget_blobs<'a>(&self, blobs: impl Iterator<Item = &'a BlobId>) -> Result<(), StoreError> {
        let mut transaction = self.writer.begin().await?;
        for blob in blobs {
            sqlx::query("DELETE FROM unused_blobs WHERE blob = $1")
                .bind(blob.as_str())
                .execute(&mut *transaction)
                .await?;
        }
        Ok(transaction.commit().await?)
    }
}

/// Notes that no row names a blob anymore. Its sums go at once: they say something of its bytes.
pub(super) async fn release_blob(
    connection: &mut SqliteConnection,
    blob: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    // Together, as each statement by itself goes to the connection's thread and back.
    sqlx::query("DELETE FROM block_sums WHERE blob = $1; INSERT INTO unused_blobs (blob, since) VALUES ($1, $2)")
        .bind(blob)
        .bind(millis(now))
        .execute(connection)
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::store::query_plans::{plan, store};

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
