//! Ids of files and folders. They share one sequence, so no id names two things.

use super::tables::SqliteTables;
use crate::service::store::error::StoreError;
use crate::service::store::tables::IdSequence;

impl IdSequence for SqliteTables<'_> {
    fn next_id(&self) -> Result<i64, StoreError> {
        self.value("UPDATE id_sequence SET next = next + 1 RETURNING next - 1", [])
    }

    fn raise_ids(&self, next: i64) -> Result<(), StoreError> {
        self.execute("UPDATE id_sequence SET next = MAX(next, ?1)", [next]).map(drop)
    }

    fn is_id_taken(&self, id: i64) -> Result<bool, StoreError> {
        let taken = "SELECT EXISTS (SELECT 1 FROM files WHERE id = ?1) OR EXISTS (SELECT 1 FROM folders WHERE id = ?1)";
        self.value(taken, [id])
    }
}
