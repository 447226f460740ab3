//! Facts about blobs beside the rows that name them: checksums by block, and the list of blobs that
//! no row names anymore, whose bytes a job removes. A blob of one block has no block sums, since
//! the checksum in its row is enough.

use std::ops::Range;

use jiff::Timestamp;

use super::content::StoredContent;
use super::database::Store;
use super::error::StoreError;
use super::records::FileKey;
use super::sql::Tables;
use crate::service::content::blobs::{BlobId, BlockSums, places};

impl Store {
    /// Returns the sums of some blocks; `None` if the blob is older than block sums and has never
    /// been read since.
    pub(crate) async fn block_sums(
        &self,
        blob: &BlobId,
        blocks: &Range<u64>,
    ) -> Result<Option<BlockSums>, StoreError> {
        let (blob, places) = (blob.clone(), places(blocks));
        self.read(move |tables| tables.block_sums(&blob, &places))
            .await
    }

    /// Adds the sums of a file's blob that has none yet. Does nothing if the file has another blob
    /// by now.
    pub(crate) async fn add_block_sums(
        &self,
        file: FileKey,
        blob: BlobId,
        sums: BlockSums,
    ) -> Result<(), StoreError> {
        self.write(move |tables| tables.add_block_sums(file, &blob, &sums))
            .await
    }

    pub(crate) async fn unused_blobs(
        &self,
        since: Timestamp,
        limit: u32,
    ) -> Result<Vec<BlobId>, StoreError> {
        self.read(move |tables| tables.unused_blobs(since, limit))
            .await
    }

    /// Moves the times of unused blobs that lie in the future back to `now`.
    pub(crate) async fn count_unused_from(&self, now: Timestamp) -> Result<(), StoreError> {
        self.write(move |tables| tables.count_unused_from(now))
            .await
    }

    pub(crate) async fn oldest_unused_blob(&self) -> Result<Option<Timestamp>, StoreError> {
        self.read(|tables: &dyn Tables| tables.oldest_unused_blob())
            .await
    }

    /// Takes blobs off the list of unused ones once their bytes are gone.
    pub(crate) async fn forget_blobs<'a>(
        &self,
        blobs: impl Iterator<Item = &'a BlobId>,
    ) -> Result<(), StoreError> {
        let blobs: Vec<BlobId> = blobs.cloned().collect();
        self.write(move |tables| {
            blobs
                .iter()
                .try_for_each(|blob| tables.delete_unused_blob(blob))
        })
        .await
    }
}

/// Inserts the block sums of content in the same transaction as the row that names it.
pub(super) fn keep_block_sums(tables: &dyn Tables, new: &StoredContent) -> Result<(), StoreError> {
    if new.blocks.blocks() > 1 {
        tables.insert_block_sums(&new.blob, &new.blocks)
    } else {
        Ok(())
    }
}

/// Notes that no row names a blob anymore. Its sums are deleted at once, since they reveal
/// something about its bytes.
pub(super) fn release_blob(
    tables: &dyn Tables,
    blob: &BlobId,
    now: Timestamp,
) -> Result<(), StoreError> {
    tables.delete_block_sums(blob)?;
    tables.insert_unused_blob(blob, now)
}
