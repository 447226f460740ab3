//! Rows of the blobs that no other row names yet, and of the bucket that they are in.

use jiff::Timestamp;

use super::tables::PostgresTables;
use super::values::{millis, stored_time};
use crate::service::content::blobs::BlobId;
use crate::service::store::error::StoreError;
use crate::service::store::tables::PendingBlobTable;

impl PendingBlobTable for PostgresTables<'_> {
    fn insert_pending_blob(&self, blob: &BlobId, since: Timestamp) -> Result<(), StoreError> {
        let insert = "INSERT INTO pending_blobs (blob, since) VALUES ($1, $2)";
        self.execute(insert, &[&blob.as_str(), &millis(since)]).map(drop)
    }

    fn delete_pending_blob(&self, blob: &BlobId) -> Result<bool, StoreError> {
        Ok(self.execute("DELETE FROM pending_blobs WHERE blob = $1", &[&blob.as_str()])? > 0)
    }

    fn count_pending_from(&self, now: Timestamp) -> Result<(), StoreError> {
        self.execute("UPDATE pending_blobs SET since = $1 WHERE since > $1", &[&millis(now)]).map(drop)
    }

    fn release_pending_blobs(&self, since: Timestamp, now: Timestamp) -> Result<(), StoreError> {
        let release = "WITH released AS (DELETE FROM pending_blobs WHERE since <= $1 RETURNING blob)
             INSERT INTO unused_blobs (blob, since) SELECT blob, $2 FROM released";
        self.execute(release, &[&millis(since), &millis(now)]).map(drop)
    }

    fn oldest_pending_blob(&self) -> Result<Option<Timestamp>, StoreError> {
        self.value::<Option<i64>>("SELECT MIN(since) FROM pending_blobs", &[])?.map(stored_time).transpose()
    }

    fn bucket(&self) -> Result<Option<String>, StoreError> {
        self.first("SELECT address FROM buckets", &[], |row| Ok(row.try_get(0)?))
    }

    fn insert_bucket(&self, address: &str) -> Result<(), StoreError> {
        self.execute("INSERT INTO buckets (address) VALUES ($1) ON CONFLICT DO NOTHING", &[&address]).map(drop)
    }
}
