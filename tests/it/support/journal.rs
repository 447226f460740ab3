//! A journal on which certain writes fail, as on a full disk.

use std::path::Path;

use rusqlite::Connection;

/// Stays unwritable until `end`.
pub struct Unwritable(Connection);

impl Unwritable {
    /// Makes `change` fail, for example `UPDATE ON item`.
    pub fn make(journal: &Path, change: &str) -> Self {
        let journal = Connection::open(journal).unwrap();
        let trigger = format!(
            "CREATE TRIGGER unwritable BEFORE {change} BEGIN SELECT RAISE(ABORT, 'no room'); END"
        );
        journal.execute_batch(&trigger).unwrap();
        Self(journal)
    }

    pub fn end(self) {
        self.0.execute_batch("DROP TRIGGER unwritable").unwrap();
    }
}
