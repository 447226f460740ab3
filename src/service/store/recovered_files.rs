//! Files whose bytes a recovery found to be others than those that were stored: damaged, or accepted as they are.

use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::error::StoreError;
use super::records::FileKey;
use super::sqlite::database::Store;
use super::sqlite::statements::{execute, value};
use super::sqlite::values::millis;

/// What a recovery left of a file's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr, strum::EnumString)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum Finding {
    /// The file keeps the checksums of what was stored, so its bytes are not answered.
    Damaged,
    /// Somebody took the bytes as they are.
    Accepted,
}

impl Store {
    /// How many files have damaged bytes, as far as a recovery has found them.
    pub(crate) async fn count_damaged(&self) -> Result<i64, StoreError> {
        let count = "SELECT COUNT(*) FROM recovered_files WHERE state = ?1";
        self.read(move |connection| Ok(value(connection, count, [<&str>::from(Finding::Damaged)])?)).await
    }
}

/// Inside a transaction: notes what a recovery found.
pub(super) fn note_finding(
    connection: &Connection,
    file: FileKey,
    finding: Finding,
    since: Timestamp,
) -> Result<(), StoreError> {
    let note = "INSERT INTO recovered_files (file, state, since) VALUES (?1, ?2, ?3)";
    execute(connection, note, params![file, <&str>::from(finding), millis(since)])?;
    Ok(())
}
