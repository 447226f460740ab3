//! Ids of files and folders. They share one sequence, so no id names two things.

use super::connection::Tables;
use super::values::{SqlValue, values};
use crate::service::store::error::StoreError;

impl dyn Tables + '_ {
    /// Takes the next id.
    pub(crate) fn next_id(&self) -> Result<i64, StoreError> {
        self.value(self.dialect().next_id, values![])
    }

    /// Has the ids below `next` count as taken.
    pub(crate) fn raise_ids(&self, next: i64) -> Result<(), StoreError> {
        self.all(self.dialect().raise_ids, values![next], |_| Ok(())).map(drop)
    }

    /// Whether a file or a folder has this id.
    pub(crate) fn is_id_taken(&self, id: i64) -> Result<bool, StoreError> {
        let taken = "SELECT EXISTS (SELECT 1 FROM files WHERE id = ?1) OR EXISTS (SELECT 1 FROM folders WHERE id = ?1)";
        self.value(taken, values![id])
    }
}
