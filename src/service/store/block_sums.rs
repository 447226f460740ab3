//! Sums of blobs by block, of those that have more than one: of one block the checksum in its row says as much. They go
//! with the row that names the blob, in the same transaction.

use std::ops::Range;

use sqlx::SqliteConnection;

use super::content::StoredContent;
use super::database::Store;
use super::error::StoreError;
use super::records::FileKey;
use super::values::integer;
use crate::service::content::blobs::{BlobId, BlockSums, places};

impl Store {
    /// The sums of some blocks of a blob; none where it came before there were sums by block, and was never read since.
    pub(crate) async fn block_sums(&self, blob: &BlobId, blocks: &Range<u64>) -> Result<Option<BlockSums>, StoreError> {
        let places = places(blocks);
        let sums: Option<Vec<u8>> = sqlx::query_scalar("SELECT substr(sums, $1, $2) FROM block_sums WHERE blob = $3")
            .bind(integer(places.start as u64 + 1))
            .bind(integer(places.len() as u64))
            .bind(blob.as_str())
            .fetch_optional(&self.readers)
            .await?;
        Ok(sums.map(BlockSums::from_stored))
    }

    /// Keeps the sums of a file's blob that has none yet. Does nothing where the file has another one now.
    pub(crate) async fn add_block_sums(&self, file: FileKey, blob: BlobId, sums: BlockSums) -> Result<(), StoreError> {
        let change = self.group.commit(move |connection| {
            Box::pin(async move {
                sqlx::query(
                    "INSERT OR IGNORE INTO block_sums (blob, sums)
                     SELECT blob, $1 FROM files WHERE id = $2 AND blob = $3",
                )
                .bind(sums.as_bytes())
                .bind(file.0)
                .bind(blob.as_str())
                .execute(connection)
                .await?;
                Ok(())
            })
        });
        change.await
    }
}

/// Keeps the sums of bytes that a row names from now on.
pub(super) async fn keep_block_sums(connection: &mut SqliteConnection, new: &StoredContent) -> Result<(), sqlx::Error> {
    if new.blocks.blocks() > 1 {
        sqlx::query("INSERT INTO block_sums (blob, sums) VALUES ($1, $2)")
            .bind(new.blob.as_str())
            .bind(new.blocks.as_bytes())
            .execute(connection)
            .await?;
    }
    Ok(())
}
