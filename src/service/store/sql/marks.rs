//! Rows of marks.

use jiff::Timestamp;

use super::connection::SqlConnection;
use super::values::{SqlValue, values};
use crate::service::store::error::StoreError;
use crate::service::store::records::ServiceFlag;
use crate::service::store::tables::MarkTable;

impl<C: SqlConnection> MarkTable for C {
    fn mark(&self, mark: ServiceFlag) -> Result<Option<Timestamp>, StoreError> {
        self.first("SELECT value FROM marks WHERE name = ?1", values![<&str>::from(mark)], |row| row.get(0))
    }

    fn set_mark(&self, mark: ServiceFlag, at: Timestamp) -> Result<(), StoreError> {
        let set = "INSERT INTO marks (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = ?2";
        self.execute(set, values![<&str>::from(mark), at]).map(drop)
    }

    fn mark_from(&self, mark: ServiceFlag, at: Timestamp) -> Result<(), StoreError> {
        // Written anew where it is set already, so that who clears it sees that there was something since.
        let set =
            "INSERT INTO marks (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = marks.value";
        self.execute(set, values![<&str>::from(mark), at]).map(drop)
    }

    fn clear_mark(&self, mark: ServiceFlag) -> Result<(), StoreError> {
        self.execute("DELETE FROM marks WHERE name = ?1", values![<&str>::from(mark)]).map(drop)
    }
}
