//! Deletion of a file by a mark: the file cannot be found anymore, but its bytes stay on the disk.

use jiff::Timestamp;

use super::read::live_file;
use crate::service::store::database::Store;
use crate::service::store::error::StoreError;
use crate::service::store::records::FileKey;

impl Store {
    pub(crate) async fn delete_file(&self, key: FileKey, now: Timestamp) -> Result<(), StoreError> {
        self.write(move |tables| {
            live_file(tables, key, now)?;
            tables.mark_file_deleted(key, now)
        })
        .await
    }
}
