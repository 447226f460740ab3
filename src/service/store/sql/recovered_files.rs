//! Rows of the findings of a recovery.

use jiff::Timestamp;

use super::connection::Tables;
use super::values::{SqlValue, values};
use crate::service::store::error::StoreError;
use crate::service::store::records::{FileKey, Finding};

impl dyn Tables + '_ {
    pub(crate) fn insert_finding(
        &self,
        file: FileKey,
        finding: Finding,
        since: Timestamp,
    ) -> Result<(), StoreError> {
        let insert = "INSERT INTO recovered_files (file, state, since) VALUES (?1, ?2, ?3)";
        self.execute(insert, values![file, <&str>::from(finding), since])
            .map(drop)
    }

    pub(crate) fn count_findings(&self, finding: Finding) -> Result<i64, StoreError> {
        self.value(
            "SELECT COUNT(*) FROM recovered_files WHERE state = ?1",
            values![<&str>::from(finding)],
        )
    }
}
