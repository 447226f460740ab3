//! Rows of the sums of blobs by block, and of the blobs that no row names anymore.

use std::ops::Range;

use jiff::Timestamp;
use tokio_postgres::Row;

use super::tables::PostgresTables;
use super::values::{integer, millis, stored_time};
use crate::service::content::blobs::{BlobId, BlockSums};
use crate::service::store::error::StoreError;
use crate::service::store::records::FileKey;
use crate::service::store::tables::BlobTable;

impl BlobTable for PostgresTables<'_> {
    fn block_sums(&self, blob: &BlobId, places: &Range<usize>) -> Result<Option<BlockSums>, StoreError> {
        let sums = "SELECT substr(sums, $1::BIGINT::INTEGER, $2::BIGINT::INTEGER) FROM block_sums WHERE blob = $3";
        let (from, length) = (integer(places.start as u64 + 1), integer(places.len() as u64));
        let read = |row: &Row| Ok(BlockSums::from_stored(row.try_get(0)?));
        self.first(sums, &[&from, &length, &blob.as_str()], read)
    }

    fn add_block_sums(&self, file: FileKey, blob: &BlobId, sums: &BlockSums) -> Result<(), StoreError> {
        let add = "INSERT INTO block_sums (blob, sums) SELECT blob, $1 FROM files WHERE id = $2 AND blob = $3
             ON CONFLICT DO NOTHING";
        self.execute(add, &[&sums.as_bytes(), &file.0, &blob.as_str()]).map(drop)
    }

    fn insert_block_sums(&self, blob: &BlobId, sums: &BlockSums) -> Result<(), StoreError> {
        let insert = "INSERT INTO block_sums (blob, sums) VALUES ($1, $2)";
        self.execute(insert, &[&blob.as_str(), &sums.as_bytes()]).map(drop)
    }

    fn delete_block_sums(&self, blob: &BlobId) -> Result<(), StoreError> {
        self.execute("DELETE FROM block_sums WHERE blob = $1", &[&blob.as_str()]).map(drop)
    }

    fn insert_unused_blob(&self, blob: &BlobId, since: Timestamp) -> Result<(), StoreError> {
        let insert = "INSERT INTO unused_blobs (blob, since) VALUES ($1, $2)";
        self.execute(insert, &[&blob.as_str(), &millis(since)]).map(drop)
    }

    fn unused_blobs(&self, since: Timestamp, limit: u32) -> Result<Vec<BlobId>, StoreError> {
        let unused = "SELECT blob FROM unused_blobs WHERE since <= $1 ORDER BY since, blob LIMIT $2";
        let read = |row: &Row| Ok(BlobId::from_stored(row.try_get(0)?));
        self.all(unused, &[&millis(since), &i64::from(limit)], read)
    }

    fn count_unused_from(&self, now: Timestamp) -> Result<(), StoreError> {
        self.execute("UPDATE unused_blobs SET since = $1 WHERE since > $1", &[&millis(now)]).map(drop)
    }

    fn oldest_unused_blob(&self) -> Result<Option<Timestamp>, StoreError> {
        self.value::<Option<i64>>("SELECT MIN(since) FROM unused_blobs", &[])?.map(stored_time).transpose()
    }

    fn delete_unused_blob(&self, blob: &BlobId) -> Result<(), StoreError> {
        self.execute("DELETE FROM unused_blobs WHERE blob = $1", &[&blob.as_str()]).map(drop)
    }
}
