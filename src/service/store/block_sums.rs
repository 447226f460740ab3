//! Sums of blobs by block, of those that have more than one: of one block the checksum in its row says as much. They go
//! with the row that names the blob, in the same transaction.

use std::ops::Range;

use rusqlite::{Connection, params};

use super::content::StoredContent;
use super::error::StoreError;
use super::records::FileKey;
use super::sqlite::database::Store;
use super::sqlite::statements::{execute, first};
use super::sqlite::values::integer;
use crate::service::content::blobs::{BlobId, BlockSums, places};

impl Store {
    /// The sums of some blocks of a blob; none where it came before there were sums by block, and was never read since.
    pub(crate) async fn block_sums(&self, blob: &BlobId, blocks: &Range<u64>) -> Result<Option<BlockSums>, StoreError> {
        let (blob, places) = (blob.clone(), places(blocks));
        self.read(move |connection| {
            let (from, length) = (integer(places.start as u64 + 1), integer(places.len() as u64));
            let sums = "SELECT substr(sums, ?1, ?2) FROM block_sums WHERE blob = ?3";
            let sums = first(connection, sums, params![from, length, blob.as_str()], |row| row.get(0))?;
            Ok(sums.map(BlockSums::from_stored))
        })
        .await
    }

    /// Keeps the sums of a file's blob that has none yet. Does nothing where the file has another one now.
    pub(crate) async fn add_block_sums(&self, file: FileKey, blob: BlobId, sums: BlockSums) -> Result<(), StoreError> {
        self.write(move |transaction| {
            let add =
                "INSERT OR IGNORE INTO block_sums (blob, sums) SELECT blob, ?1 FROM files WHERE id = ?2 AND blob = ?3";
            execute(transaction, add, params![sums.as_bytes(), file, blob.as_str()])?;
            Ok(())
        })
        .await
    }
}

/// Keeps the sums of bytes that a row names from now on.
pub(super) fn keep_block_sums(connection: &Connection, new: &StoredContent) -> Result<(), StoreError> {
    if new.blocks.blocks() > 1 {
        let keep = "INSERT INTO block_sums (blob, sums) VALUES (?1, ?2)";
        execute(connection, keep, params![new.blob.as_str(), new.blocks.as_bytes()])?;
    }
    Ok(())
}
