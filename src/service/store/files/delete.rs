//! A file marked as deleted: it is nowhere to be found, its bytes stay on the disk.

use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::read::live_file;
use crate::service::store::error::StoreError;
use crate::service::store::records::FileKey;
use crate::service::store::sqlite::database::Store;
use crate::service::store::sqlite::statements::execute;
use crate::service::store::sqlite::values::millis;

impl Store {
    pub(crate) async fn delete_file(&self, key: FileKey, now: Timestamp) -> Result<(), StoreError> {
        self.write(move |transaction| {
            live_file(transaction, key, now)?;
            mark_deleted(transaction, key, now)
        })
        .await
    }
}

pub(super) fn mark_deleted(connection: &Connection, key: FileKey, now: Timestamp) -> Result<(), StoreError> {
    execute(connection, "UPDATE files SET deleted_at = ?1 WHERE id = ?2", params![millis(now), key])?;
    Ok(())
}
