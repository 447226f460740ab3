//! Deletion of a folder with its contents by a mark, and the removal of its row once nothing refers
//! to it.

use jiff::Timestamp;

use super::read::live_folder;
use crate::service::store::database::Store;
use crate::service::store::error::StoreError;
use crate::service::store::records::{FolderKey, ServiceFlag};
use crate::service::store::sql::Tables;

impl Store {
    /// Deletes the folder with its contents, unless it has hidden files and those may not be
    /// deleted.
    pub(crate) async fn delete_folder(
        &self,
        key: FolderKey,
        with_hidden: bool,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.write(move |tables| {
            live_folder(tables, key)?;
            if !with_hidden && tables.has_hidden_below(key)? {
                return Err(StoreError::HiddenBelow);
            }
            tables.mark_tree_deleted(key, now)
        })
        .await
    }

    /// Removes the rows of deleted folders that no row refers to anymore. Returns `true` if there
    /// were any.
    pub(crate) async fn purge_folders(&self, now: Timestamp) -> Result<bool, StoreError> {
        if !self
            .read(|tables: &dyn Tables| tables.has_deleted_folders())
            .await?
        {
            return Ok(false);
        }
        self.write(move |tables| {
            let mut purged = false;
            while tables.purge_empty_folders()? > 0 {
                purged = true;
            }
            if purged {
                tables.mark_from(ServiceFlag::Unscrubbed, now)?;
            }
            Ok(purged)
        })
        .await
    }
}
