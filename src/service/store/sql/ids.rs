//! Ids of files and folders. They share one sequence, so no id names two things.

use super::connection::SqlConnection;
use super::values::{SqlValue, values};
use crate::service::store::error::StoreError;
use crate::service::store::tables::IdSequence;

impl<C: SqlConnection> IdSequence for C {
    fn next_id(&self) -> Result<i64, StoreError> {
        self.value(C::NEXT_ID, values![])
    }

    fn raise_ids(&self, next: i64) -> Result<(), StoreError> {
        self.all(C::RAISE_IDS, values![next], |_| Ok(())).map(drop)
    }

    fn is_id_taken(&self, id: i64) -> Result<bool, StoreError> {
        let taken = "SELECT EXISTS (SELECT 1 FROM files WHERE id = ?1) OR EXISTS (SELECT 1 FROM folders WHERE id = ?1)";
        self.value(taken, values![id])
    }
}
