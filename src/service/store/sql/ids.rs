//! Ids of files and folders. Both share one sequence, so an id is never used twice.

use super::connection::Tables;
use super::values::{SqlValue, values};
use crate::service::store::error::StoreError;

impl dyn Tables + '_ {
    pub(crate) fn next_id(&self) -> Result<i64, StoreError> {
        self.value(self.dialect().next_id, values![])
    }

    /// Marks the ids below `next` as taken.
    pub(crate) fn raise_ids(&self, next: i64) -> Result<(), StoreError> {
        self.all(self.dialect().raise_ids, values![next], |_| Ok(()))
            .map(drop)
    }

    pub(crate) fn is_id_taken(&self, id: i64) -> Result<bool, StoreError> {
        let taken = "SELECT EXISTS (SELECT 1 FROM files WHERE id = ?1) OR EXISTS (SELECT 1 FROM folders WHERE id = ?1)";
        self.value(taken, values![id])
    }
}
