//! What is kept of blobs beside the rows that name them: sums by block, and the list of those that no row names anymore.
//! The job that reads the list removes the bytes. Blobs of one block have no sums: the checksum in the row says as much.

use std::ops::Range;

use jiff::Timestamp;

use super::content::StoredContent;
use super::database::Store;
use super::error::StoreError;
use super::records::FileKey;
use super::sql::Tables;
use crate::service::content::blobs::{BlobId, BlockSums, places};

impl Store {
    /// The sums of some blocks of a blob; none where it came before there were sums by block, and was never read since.
    pub(crate) async fn block_sums(&self, blob: &BlobId, blocks: &Range<u64>) -> Result<Option<BlockSums>, StoreError> {
        let (blob, places) = (blob.clone(), places(blocks));
        self.read(move |tables| tables.block_sums(&blob, &places)).await
    }

    /// Keeps the sums of a file's blob that has none yet. Does nothing where the file has another one now.
    pub(crate) async fn add_block_sums(&self, file: FileKey, blob: BlobId, sums: BlockSums) -> Result<(), StoreError> {
        self.write(move |tables| tables.add_block_sums(file, &blob, &sums)).await
    }

    /// Blobs that no row has named since this time or longer.
    pub(crate) async fn unused_blobs(&self, since: Timestamp, limit: u32) -> Result<Vec<BlobId>, StoreError> {
        self.read(move |tables| tables.unused_blobs(since, limit)).await
    }

    /// Has blobs that are noted as unused from a later time on be so from now on.
    pub(crate) async fn count_unused_from(&self, now: Timestamp) -> Result<(), StoreError> {
        self.write(move |tables| tables.count_unused_from(now)).await
    }

    /// Since when the blob that has been unused longest is.
    pub(crate) async fn oldest_unused_blob(&self) -> Result<Option<Timestamp>, StoreError> {
        self.read(|tables: &dyn Tables| tables.oldest_unused_blob()).await
    }

    /// Takes blobs off the list once their bytes are gone.
    pub(crate) async fn forget_blobs<'a>(&self, blobs: impl Iterator<Item = &'a BlobId>) -> Result<(), StoreError> {
        let blobs: Vec<BlobId> = blobs.cloned().collect();
        self.write(move |tables| blobs.iter().try_for_each(|blob| tables.delete_unused_blob(blob))).await
    }
}

/// Keeps the sums of bytes that a row names from now on, in the same transaction.
pub(super) fn keep_block_sums(tables: &dyn Tables, new: &StoredContent) -> Result<(), StoreError> {
    if new.blocks.blocks() > 1 { tables.insert_block_sums(&new.blob, &new.blocks) } else { Ok(()) }
}

/// Notes that no row names a blob anymore. Its sums go at once: they say something of its bytes.
pub(super) fn release_blob(tables: &dyn Tables, blob: &BlobId, now: Timestamp) -> Result<(), StoreError> {
    tables.delete_block_sums(blob)?;
    tables.insert_unused_blob(blob, now)
}
