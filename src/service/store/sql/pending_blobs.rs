//! Rows of blobs that no other row names yet, and of the bucket that holds the blobs.

use jiff::Timestamp;

use super::connection::Tables;
use super::values::{SqlValue, values};
use crate::service::content::blobs::BlobId;
use crate::service::store::error::StoreError;

const RELEASE: &str =
    "INSERT INTO unused_blobs (blob, since) SELECT blob, ?1 FROM pending_blobs WHERE since <= ?2";
const FORGET: &str = "DELETE FROM pending_blobs WHERE since <= ?1";
const COUNT: &str = "UPDATE pending_blobs SET since = ?1 WHERE since > ?1";
const OLDEST: &str = "SELECT MIN(since) FROM pending_blobs";

impl dyn Tables + '_ {
    pub(crate) fn insert_pending_blob(
        &self,
        blob: &BlobId,
        since: Timestamp,
    ) -> Result<(), StoreError> {
        let insert = "INSERT INTO pending_blobs (blob, since) VALUES (?1, ?2)";
        self.execute(insert, values![blob.as_str(), since])
            .map(drop)
    }

    /// Returns `false` if the blob was not pending.
    pub(crate) fn delete_pending_blob(&self, blob: &BlobId) -> Result<bool, StoreError> {
        Ok(self.execute(
            "DELETE FROM pending_blobs WHERE blob = ?1",
            values![blob.as_str()],
        )? > 0)
    }

    /// Moves the times of pending blobs that lie in the future back to `now`.
    pub(crate) fn count_pending_from(&self, now: Timestamp) -> Result<(), StoreError> {
        self.execute(COUNT, values![now]).map(drop)
    }

    pub(crate) fn release_pending_blobs(
        &self,
        since: Timestamp,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.execute(RELEASE, values![now, since])?;
        self.execute(FORGET, values![since]).map(drop)
    }

    pub(crate) fn oldest_pending_blob(&self) -> Result<Option<Timestamp>, StoreError> {
        self.value(OLDEST, values![])
    }

    pub(crate) fn pending_blobs(&self) -> Result<Vec<BlobId>, StoreError> {
        self.all("SELECT blob FROM pending_blobs", values![], |row| {
            row.get(0).map(BlobId::from_stored)
        })
    }

    pub(crate) fn bucket(&self) -> Result<Option<String>, StoreError> {
        self.first("SELECT address FROM buckets", values![], |row| row.get(0))
    }

    pub(crate) fn insert_bucket(&self, address: &str) -> Result<(), StoreError> {
        self.execute(
            "INSERT INTO buckets (address) VALUES (?1) ON CONFLICT DO NOTHING",
            values![address],
        )
        .map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::store::query_plans::{plan, store};

    #[tokio::test]
    async fn blobs_that_are_pending_are_found_by_their_age() {
        let (_dir, store) = store().await;
        for statement in [RELEASE, FORGET, COUNT, OLDEST] {
            let plan = plan(&store, statement).await;
            assert!(
                plan.contains("INDEX pending_blobs_by_age"),
                "{statement}: {plan}"
            );
        }
    }
}
