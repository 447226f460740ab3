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
        // Written anew where it is set already, so that `clear_unscrubbed` sees that there was something since.
        let set =
            "INSERT INTO marks (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = marks.value";
        self.execute(set, &[&<&str>::from(mark), &millis(at)]).map(drop)
    }

    fn clear_mark(&self, mark: ServiceFlag) -> Result<(), StoreError> {
        self.execute("DELETE FROM marks WHERE name = $1", &[&<&str>::from(mark)]).map(drop)
    }
}

impl PostgresTables<'_> {
    /// Which transaction has noted last that rows were erased; none where all remains are gone.
    pub(super) fn unscrubbed(&self) -> Result<Option<String>, StoreError> {
        let noted = "SELECT xmin::TEXT FROM marks WHERE name = $1";
        self.first(noted, &[&<&str>::from(ServiceFlag::Unscrubbed)], |row| Ok(row.try_get(0)?))
    }

    /// Notes that the remains of rows are gone, unless more were erased since that transaction.
    pub(super) fn clear_unscrubbed(&self, noted: &str) -> Result<(), StoreError> {
        let clear = "DELETE FROM marks WHERE name = $1 AND xmin::TEXT = $2";
        self.execute(clear, &[&<&str>::from(ServiceFlag::Unscrubbed), &noted]).map(drop)
    }
}
