//! Ids of files and folders.

use super::tables::PostgresTables;
use crate::service::store::error::StoreError;
use crate::service::store::tables::IdSequence;

impl IdSequence for PostgresTables<'_> {
    fn next_id(&self) -> Result<i64, StoreError> {
        self.value("SELECT nextval('ids')", &[])
    }

    fn raise_ids(&self, next: i64) -> Result<(), StoreError> {
        let raise = "SELECT setval('ids', $1, FALSE) FROM ids WHERE last_value < $1";
        self.first(raise, &[&next], |_| Ok(())).map(drop)
    }

    fn is_id_taken(&self, id: i64) -> Result<bool, StoreError> {
        let taken = "SELECT EXISTS (SELECT 1 FROM files WHERE id = $1) OR EXISTS (SELECT 1 FROM folders WHERE id = $1)";
        self.value(taken, &[&id])
    }
}
