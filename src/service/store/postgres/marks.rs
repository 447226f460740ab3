//! The mark of erased rows, as the clean-up uses it.

use super::tables::PostgresTables;
use crate::service::store::error::StoreError;
use crate::service::store::records::ServiceFlag;

impl PostgresTables<'_> {
    /// Returns the last transaction that noted erased rows; `None` if all remains are gone.
    pub(super) fn unscrubbed(&self) -> Result<Option<String>, StoreError> {
        let noted = "SELECT xmin::TEXT FROM marks WHERE name = $1";
        self.first(noted, &[&<&str>::from(ServiceFlag::Unscrubbed)], |row| {
            Ok(row.try_get(0)?)
        })
    }

    /// Notes that the remains of rows are gone, unless more were erased since that transaction.
    pub(super) fn clear_unscrubbed(&self, noted: &str) -> Result<(), StoreError> {
        let clear = "DELETE FROM marks WHERE name = $1 AND xmin::TEXT = $2";
        self.execute(clear, &[&<&str>::from(ServiceFlag::Unscrubbed), &noted])
            .map(drop)
    }
}
