//! The meaning of SQLite's errors to the store.

use std::error::Error as _;
use std::sync::Arc;

use rusqlite::{Error, ErrorCode, ffi};

use crate::service::store::error::{DatabaseFailure, StoreError};

impl From<Error> for StoreError {
    fn from(error: Error) -> Self {
        Self::Database(failure(&error), Arc::new(error))
    }
}

impl From<refinery_core::Error> for StoreError {
    fn from(error: refinery_core::Error) -> Self {
        let cause = error.source().and_then(|source| source.downcast_ref());
        Self::Renewal(
            cause.map_or(DatabaseFailure::Other, failure),
            Arc::new(error),
        )
    }
}

pub(super) fn failure(error: &Error) -> DatabaseFailure {
    // SHMSIZE means that there is no room for the index of the write-ahead log.
    match extended_code(error) {
        Some(ffi::SQLITE_FULL | ffi::SQLITE_IOERR_SHMSIZE) => return DatabaseFailure::Full,
        // The commit hook found that the file is no longer the one that was opened.
        Some(ffi::SQLITE_CONSTRAINT_COMMITHOOK) => return DatabaseFailure::Lost,
        _ => {}
    }
    match error.sqlite_error_code() {
        Some(ErrorCode::CannotOpen) => DatabaseFailure::CannotOpen,
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => DatabaseFailure::Locked,
        Some(ErrorCode::ReadOnly) => DatabaseFailure::ReadOnly,
        Some(ErrorCode::SystemIoFailure) => DatabaseFailure::Disk,
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => DatabaseFailure::Damaged,
        Some(ErrorCode::ConstraintViolation) => DatabaseFailure::Constraint,
        _ => DatabaseFailure::Other,
    }
}

/// Returns SQLite's extended result code: <https://sqlite.org/rescode.html>.
fn extended_code(error: &Error) -> Option<i32> {
    error.sqlite_error().map(|error| error.extended_code)
}

fn cause(error: &StoreError) -> Option<&Error> {
    match error {
        StoreError::Database(_, cause)
        | StoreError::TakenBack(_, cause)
        | StoreError::Commit(_, cause) => cause.downcast_ref(),
        _ => None,
    }
}

/// Returns `true` if the database or a part of it is damaged. For its own tables FTS5 reports only
/// a generic error.
pub(super) fn is_damage(error: &StoreError) -> bool {
    let code = cause(error).and_then(extended_code);
    code.is_some_and(|code| matches!(code & 0xff, ffi::SQLITE_CORRUPT | ffi::SQLITE_ERROR))
}

/// Returns `true` if a read-only connection met an interrupted transaction, which has to be rolled
/// back first.
pub(super) fn is_half_done(error: &StoreError) -> bool {
    cause(error).and_then(extended_code) == Some(ffi::SQLITE_READONLY_ROLLBACK)
}

/// Returns the error for the other changes of a transaction, if the database failed in a way that
/// may have ended it.
pub(super) fn for_others(error: &StoreError) -> Option<Error> {
    match cause(error)? {
        cause @ Error::SqliteFailure(code, _) if failure(cause) != DatabaseFailure::Constraint => {
            Some(Error::SqliteFailure(
                *code,
                Some(format!("another change of the same commit failed: {cause}")),
            ))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::Duration;

    use rstest::rstest;
    use rusqlite::{Connection, OpenFlags};

    use super::*;

    fn connect(file: &Path, read_only: bool) -> Result<Connection, Error> {
        let flags = if read_only {
            OpenFlags::SQLITE_OPEN_READ_ONLY
        } else {
            OpenFlags::default()
        };
        let connection = Connection::open_with_flags(file, flags)?;
        connection.busy_timeout(Duration::ZERO)?;
        Ok(connection)
    }

    fn locked(file: &Path) -> Result<(), Error> {
        let other = connect(file, false)?;
        other.execute_batch("BEGIN EXCLUSIVE")?;
        connect(file, false)?.execute_batch("CREATE TABLE a (b)")
    }

    fn read_only(file: &Path) -> Result<(), Error> {
        connect(file, false)?.execute_batch("CREATE TABLE c (d)")?;
        connect(file, true)?.execute_batch("CREATE TABLE a (b)")
    }

    fn full(file: &Path) -> Result<(), Error> {
        connect(file, false)?.execute_batch("PRAGMA max_page_count = 1; CREATE TABLE a (b)")
    }

    fn damaged(file: &Path) -> Result<(), Error> {
        std::fs::write(file, b"no database ".repeat(1000)).unwrap();
        connect(file, false)?.execute_batch("CREATE TABLE a (b)")
    }

    fn missing(file: &Path) -> Result<(), Error> {
        connect(&file.with_file_name("not there"), true).map(drop)
    }

    #[rstest]
    #[case::locked(locked, "end that one")]
    #[case::read_only(read_only, "writable for this user")]
    #[case::full(full, "make room")]
    #[case::damaged(damaged, "filedeck store recover")]
    #[case::missing(missing, "put it back")]
    fn a_failure_of_the_database_says_what_to_do(
        #[case] fail: impl Fn(&Path) -> Result<(), Error>,
        #[case] advice: &str,
    ) {
        let dir = tempfile::tempdir().unwrap();
        let message = StoreError::from(fail(&dir.path().join("test.db")).unwrap_err()).to_string();
        assert!(message.contains(advice), "{message}");
    }
}
