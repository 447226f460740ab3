//! The rows of a store that is verified or backed up, in the directory or on a server, while a
//! service may use them.

use std::path::Path;

use super::error::{CopyFault, MaintenanceError};
#[cfg(feature = "postgres")]
use super::take_over;
use crate::service::content::blobs::{BlobId, BlockSums};
use crate::service::store::{Audit, Expected, StoreError};
#[cfg(feature = "postgres")]
use crate::service::store::{LockedDatabase, SavedFile};

/// The number of files that are read at once from a server.
#[cfg(feature = "postgres")]
const PAGE: u32 = 1000;

pub(super) enum SharedRows {
    Directory(Audit),
    #[cfg(feature = "postgres")]
    Server(LockedDatabase),
}

impl SharedRows {
    /// Returns a page of files after a position, and the position of the next page; `None` if no
    /// files follow. A directory has one page.
    pub(super) async fn expected_after(
        &self,
        #[cfg_attr(
            not(feature = "postgres"),
            expect(unused_variables, reason = "there are no pages")
        )]
        place: i64,
    ) -> Result<(Vec<Expected>, Option<i64>), StoreError> {
        match self {
            Self::Directory(audit) => Ok((audit.expected().await?, None)),
            #[cfg(feature = "postgres")]
            Self::Server(database) => {
                let page = database.files_after(place, PAGE).await?;
                Ok((page.files.into_iter().map(expected).collect(), page.last))
            }
        }
    }

    /// Writes all rows as of one moment to a new database of a directory.
    pub(super) async fn copy_to(
        &self,
        file: &Path,
        #[cfg_attr(
            not(feature = "postgres"),
            expect(unused_variables, reason = "a directory copies itself")
        )]
        unreadable: impl Fn(StoreError) -> MaintenanceError + Send + Sync,
    ) -> Result<(), CopyFault> {
        match self {
            Self::Directory(audit) => Ok(audit.copy_to(file).await?),
            #[cfg(feature = "postgres")]
            Self::Server(database) => {
                database.begin_snapshot().await.map_err(&unreadable)?;
                take_over::snapshot(database, &unreadable, file).await?;
                Ok(database.end_snapshot().await.map_err(&unreadable)?)
            }
        }
    }

    /// Returns `true` if the store is the target of an interrupted copy.
    pub(super) async fn is_half_copied(&self) -> Result<bool, StoreError> {
        match self {
            Self::Directory(audit) => audit.is_half_copied().await,
            #[cfg(feature = "postgres")]
            Self::Server(database) => database.is_half_copied().await,
        }
    }

    /// Returns the block sums of a file's bytes, if there are any.
    pub(super) async fn block_sums(
        &self,
        file: &Expected,
    ) -> Result<Option<BlockSums>, StoreError> {
        match self {
            Self::Directory(audit) => audit.block_sums(&file.blob).await,
            #[cfg(feature = "postgres")]
            Self::Server(database) => database.block_sums(&file.blob, file.size).await,
        }
    }

    /// Returns `false` if the file has been replaced or erased since its row was read.
    pub(super) async fn still_names(&self, file: &Expected) -> Result<bool, StoreError> {
        match self {
            Self::Directory(audit) => audit.still_names(file.file, &file.blob).await,
            #[cfg(feature = "postgres")]
            Self::Server(database) => database.still_names(file.file, &file.blob).await,
        }
    }

    pub(super) async fn pending_blobs(&self) -> Result<Vec<BlobId>, StoreError> {
        match self {
            Self::Directory(audit) => audit.pending_blobs().await,
            #[cfg(feature = "postgres")]
            Self::Server(database) => database.pending_blobs().await,
        }
    }

    pub(super) async fn unused_blobs(&self) -> Result<Vec<BlobId>, StoreError> {
        match self {
            Self::Directory(audit) => audit.unused_blobs().await,
            #[cfg(feature = "postgres")]
            Self::Server(database) => database.unused_blobs().await,
        }
    }

    pub(super) async fn close(self) {
        match self {
            Self::Directory(audit) => audit.close().await,
            #[cfg(feature = "postgres")]
            Self::Server(_) => {}
        }
    }
}

#[cfg(feature = "postgres")]
fn expected(SavedFile { record, .. }: SavedFile) -> Expected {
    Expected {
        file: record.key,
        path: record.path(),
        deleted: record.deleted_at.is_some(),
        blob: record.content.blob,
        size: record.content.size,
        digest: record.content.digest,
    }
}
