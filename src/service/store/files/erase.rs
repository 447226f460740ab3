//! Permanent deletion of files: they are marked for erasure, by request or because they have
//! expired, and then erased.

use jiff::Timestamp;

use crate::service::store::blobs::release_blob;
use crate::service::store::database::Store;
use crate::service::store::error::StoreError;
use crate::service::store::records::{FileKey, ServiceFlag};
use crate::service::store::sql::Tables;

impl Store {
    /// Marks a file, deleted or not, to be erased from `now` on. Fails if the file has already been
    /// erased.
    pub(crate) async fn request_erasure(
        &self,
        key: FileKey,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.write(move |tables| {
            let is_there = tables.mark_file_for_erasure(key, now)?;
            if is_there {
                Ok(())
            } else {
                Err(StoreError::FileMissing(key.0))
            }
        })
        .await
    }

    /// Marks expired files as deleted and to be erased. Returns their number.
    pub(crate) async fn expire_files(&self, now: Timestamp) -> Result<usize, StoreError> {
        self.write(move |tables| tables.expire_files(now)).await
    }

    pub(crate) async fn next_expiry(&self) -> Result<Option<Timestamp>, StoreError> {
        self.read(|tables: &dyn Tables| tables.next_expiry()).await
    }

    /// Returns files that are to be erased, oldest request first.
    pub(crate) async fn files_to_erase(&self, limit: u32) -> Result<Vec<FileKey>, StoreError> {
        self.read(move |tables| tables.files_to_erase(limit)).await
    }

    /// Returns the time since which the oldest remains have waited for erasure: a row, bytes that
    /// no row names, or copies of rows in the database's own files.
    pub(crate) async fn oldest_remains(&self) -> Result<Option<Timestamp>, StoreError> {
        self.read(oldest_remains).await
    }

    /// Removes the rows of files that are to be erased, and lists their blobs as unused.
    pub(crate) async fn erase_files(&self, keys: &[FileKey]) -> Result<(), StoreError> {
        let keys = keys.to_vec();
        self.write(move |tables| {
            for key in &keys {
                if let Some((blob, since)) = tables.erase_file(*key)? {
                    release_blob(tables, &blob, since)?;
                    tables.erase_tasks_of(*key)?;
                    tables.mark_from(ServiceFlag::Unscrubbed, since)?;
                }
            }
            Ok(())
        })
        .await
    }
}

pub(in crate::service::store) fn oldest_remains(
    tables: &dyn Tables,
) -> Result<Option<Timestamp>, StoreError> {
    let (row, blob) = (tables.oldest_erasure()?, tables.oldest_unused_blob()?);
    let page = tables.mark(ServiceFlag::Unscrubbed)?;
    Ok([row, blob, page].into_iter().flatten().min())
}
