//! Rows of marks.

use jiff::Timestamp;

use super::tables::PostgresTables;
use super::values::{millis, time};
use crate::service::store::error::StoreError;
use crate::service::store::records::ServiceFlag;
use crate::service::store::tables::MarkTable;

impl MarkTable for PostgresTables<'_> {
    fn mark(&self, mark: ServiceFlag) -> Result<Option<Timestamp>, StoreError> {
        self.first("SELECT value FROM marks WHERE name = $1", &[&<&str>::from(mark)], |row| time(row, 0))
    }

    fn set_mark(&self, mark: ServiceFlag, at: Timestamp) -> Result<(), StoreError> {
        let set = "INSERT INTO marks (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = $2";
        self.execute(set, &[&<&str>::from(mark), &millis(at)]).map(drop)
    }

    fn mark_from(&self, mark: ServiceFlag, at: Timestamp) -> Result<(), StoreError> {
        let set = "INSERT INTO marks (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";
        self.execute(set, &[&<&str>::from(mark), &millis(at)]).map(drop)
    }

    fn clear_mark(&self, mark: ServiceFlag) -> Result<(), StoreError> {
        self.execute("DELETE FROM marks WHERE name = $1", &[&<&str>::from(mark)]).map(drop)
    }
}
