//! Rows of what a recovery found.

use jiff::Timestamp;

use super::tables::PostgresTables;
use super::values::millis;
use crate::service::store::error::StoreError;
use crate::service::store::records::{FileKey, Finding};
use crate::service::store::tables::FindingTable;

impl FindingTable for PostgresTables<'_> {
    fn insert_finding(&self, file: FileKey, finding: Finding, since: Timestamp) -> Result<(), StoreError> {
        let insert = "INSERT INTO recovered_files (file, state, since) VALUES ($1, $2, $3)";
        self.execute(insert, &[&file.0, &<&str>::from(finding), &millis(since)]).map(drop)
    }

    fn count_findings(&self, finding: Finding) -> Result<i64, StoreError> {
        self.value("SELECT COUNT(*) FROM recovered_files WHERE state = $1", &[&<&str>::from(finding)])
    }
}
