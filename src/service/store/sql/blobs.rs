//! Rows of checksums of blobs by block, and of blobs that no row names anymore.

use std::ops::Range;

use jiff::Timestamp;

use super::connection::Tables;
use super::values::{SqlValue, values};
use crate::service::content::blobs::{BlobId, BlockSums};
use crate::service::store::error::StoreError;
use crate::service::store::records::FileKey;

const UNUSED: &str =
    "SELECT blob FROM unused_blobs WHERE since <= ?1 ORDER BY since, blob LIMIT ?2";
const COUNT: &str = "UPDATE unused_blobs SET since = ?1 WHERE since > ?1";
const OLDEST: &str = "SELECT MIN(since) FROM unused_blobs";

impl dyn Tables + '_ {
    /// Returns a part of the stored block sums of a blob: the bytes at these positions.
    pub(crate) fn block_sums(
        &self,
        blob: &BlobId,
        places: &Range<usize>,
    ) -> Result<Option<BlockSums>, StoreError> {
        let (from, length) = (places.start as u64 + 1, places.len() as u64);
        let sums = "SELECT substr(sums, CAST(CAST(?1 AS BIGINT) AS INTEGER), CAST(CAST(?2 AS BIGINT) AS INTEGER))
             FROM block_sums WHERE blob = ?3";
        let sums = self.first(sums, values![from, length, blob.as_str()], |row| row.get(0))?;
        Ok(sums.map(BlockSums::from_stored))
    }

    pub(crate) fn add_block_sums(
        &self,
        file: FileKey,
        blob: &BlobId,
        sums: &BlockSums,
    ) -> Result<(), StoreError> {
        let add = "INSERT INTO block_sums (blob, sums) SELECT blob, ?1 FROM files WHERE id = ?2 AND blob = ?3
             ON CONFLICT DO NOTHING";
        self.execute(add, values![sums.as_bytes(), file, blob.as_str()])
            .map(drop)
    }

    pub(crate) fn insert_block_sums(
        &self,
        blob: &BlobId,
        sums: &BlockSums,
    ) -> Result<(), StoreError> {
        let insert = "INSERT INTO block_sums (blob, sums) VALUES (?1, ?2)";
        self.execute(insert, values![blob.as_str(), sums.as_bytes()])
            .map(drop)
    }

    pub(crate) fn delete_block_sums(&self, blob: &BlobId) -> Result<(), StoreError> {
        self.execute(
            "DELETE FROM block_sums WHERE blob = ?1",
            values![blob.as_str()],
        )
        .map(drop)
    }

    pub(crate) fn insert_unused_blob(
        &self,
        blob: &BlobId,
        since: Timestamp,
    ) -> Result<(), StoreError> {
        let insert = "INSERT INTO unused_blobs (blob, since) VALUES (?1, ?2)";
        self.execute(insert, values![blob.as_str(), since])
            .map(drop)
    }

    pub(crate) fn unused_blobs(
        &self,
        since: Timestamp,
        limit: u32,
    ) -> Result<Vec<BlobId>, StoreError> {
        self.all(UNUSED, values![since, limit], |row| {
            row.get(0).map(BlobId::from_stored)
        })
    }

    pub(crate) fn count_unused_from(&self, now: Timestamp) -> Result<(), StoreError> {
        self.execute(COUNT, values![now]).map(drop)
    }

    pub(crate) fn oldest_unused_blob(&self) -> Result<Option<Timestamp>, StoreError> {
        self.value(OLDEST, values![])
    }

    pub(crate) fn delete_unused_blob(&self, blob: &BlobId) -> Result<(), StoreError> {
        self.execute(
            "DELETE FROM unused_blobs WHERE blob = ?1",
            values![blob.as_str()],
        )
        .map(drop)
    }
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
            assert!(
                plan.contains(index) && !plan.contains("B-TREE"),
                "{statement}: {plan}"
            );
        }
    }
}
