//! Why the store refused or failed.

use std::error::Error as _;
use std::io;
use std::sync::Arc;

use rusqlite::{Error, ErrorCode, ffi};

use crate::connection_threads::Unanswered;
use crate::service::content::disk::is_disk_full;
use crate::service::domain::names::NameError;

#[derive(Debug, thiserror::Error)]
pub(crate) enum StoreError {
    #[error("the database failed{}", advice(.0))]
    Database(#[from] Error),
    #[error("the file of the database failed{}", if is_disk_full(.0) { DISK_FULL } else { "" })]
    File(#[from] io::Error),
    #[error("the database could not be brought to its newest form{}", sqlite(.0).map_or("", advice))]
    Renewal(#[from] refinery_core::Error),
    #[error(transparent)]
    Unanswered(#[from] Unanswered),
    /// The database was closed before anything was done.
    #[error("the database is closed")]
    Closed,
    /// Another change of the same transaction failed, and that was given up before its commit.
    #[error("the database took the change back{}", advice(.0))]
    TakenBack(#[source] Arc<Error>),
    /// The change was made, its commit failed.
    #[error("the database could not commit{}", advice(.0))]
    Commit(#[source] Arc<Error>),
    #[error(
        "the database was made by a newer filedeck (its form is {found}, this one knows {known} at most); \
         use the newer one, or a backup from before"
    )]
    Newer { found: i32, known: i32 },
    #[error("no file has the id {0}")]
    FileMissing(i64),
    #[error("no folder is at {0}")]
    FolderMissing(String),
    #[error("{0} exists already")]
    NameTaken(String),
    #[error("a file with the same content exists already: {path}")]
    Duplicate { id: i64, path: String },
    #[error("a folder cannot be moved into itself or below itself")]
    IntoItself,
    #[error("the folder is not empty")]
    NotEmpty,
    #[error("the task is over")]
    TaskOver,
    #[error(transparent)]
    Name(#[from] NameError),
}

impl StoreError {
    /// Whether the change may have been made all the same. What fails before the commit is taken back; a commit that
    /// the disk failed may be there after a crash, one that was kept from the disk is not.
    pub(crate) fn is_unclear(&self) -> bool {
        match self {
            Self::Commit(cause) => !is_full(cause) && !is_constraint(cause) && !is_lost(cause) && !is_kept_out(cause),
            // Whoever commits did not answer.
            Self::Unanswered(_) => true,
            _ => false,
        }
    }

    /// Whether the database file is not there anymore, or not the one that was opened: nothing was done.
    pub(crate) fn is_lost(&self) -> bool {
        self.database().is_some_and(is_lost)
    }

    /// Whether the database found no room on the disk.
    pub(crate) fn is_full(&self) -> bool {
        self.database().is_some_and(is_full) || is_disk_full(self)
    }

    /// Whether the database is damaged, or something in it: of its own parts FTS5 says no more than that they are wrong.
    pub(super) fn is_damage(&self) -> bool {
        let code = self.database().and_then(extended_code);
        code.is_some_and(|code| matches!(code & 0xff, ffi::SQLITE_CORRUPT | ffi::SQLITE_ERROR))
    }

    /// Whether it is about what was asked for alone: what came before it in the same transaction stays.
    pub(crate) fn is_refusal(&self) -> bool {
        match self {
            Self::File(_) | Self::Renewal(_) | Self::Unanswered(_) | Self::Closed => false,
            _ => self.database().is_none_or(is_constraint),
        }
    }

    /// What it means for changes of the same transaction, if the database failed in a way that may have ended that.
    pub(super) fn for_others(&self) -> Option<Error> {
        match self.database()? {
            cause @ Error::SqliteFailure(code, _) if !is_constraint(cause) => {
                Some(Error::SqliteFailure(*code, Some(format!("another change of the same commit failed: {cause}"))))
            }
            _ => None,
        }
    }

    fn database(&self) -> Option<&Error> {
        match self {
            Self::Database(cause) => Some(cause),
            Self::TakenBack(cause) | Self::Commit(cause) => Some(cause),
            Self::Renewal(cause) => sqlite(cause),
            _ => None,
        }
    }
}

fn sqlite(error: &refinery_core::Error) -> Option<&Error> {
    error.source()?.downcast_ref()
}

/// SQLite's result code, with all that it adds to the plain one: <https://sqlite.org/rescode.html>.
fn extended_code(error: &Error) -> Option<i32> {
    error.sqlite_error().map(|error| error.extended_code)
}

const DISK_FULL: &str = ": the disk is full; make room on it";

/// What to do about a failure, to follow its message.
fn advice(error: &Error) -> &'static str {
    if is_full(error) {
        return DISK_FULL;
    }
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            ": another program keeps it locked; end that one and try again"
        }
        Some(ErrorCode::ReadOnly) => {
            ": it cannot be written to; make the directory and its files writable for this user"
        }
        Some(ErrorCode::SystemIoFailure) => ": the disk failed; make a copy of the directory before anything else",
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            ": the file is damaged; restore a backup, or run 'filedeck store recover', which keeps the file"
        }
        Some(ErrorCode::CannotOpen) => ": its file cannot be opened; put it back, or make it readable for this user",
        _ => "",
    }
}

/// There may be no room for the index of the write-ahead log either.
fn is_full(error: &Error) -> bool {
    matches!(extended_code(error), Some(ffi::SQLITE_FULL | ffi::SQLITE_IOERR_SHMSIZE))
}

/// Whether a connection that only reads met a transaction that was cut short, which would have to be taken back first.
pub(super) fn is_half_done(error: &Error) -> bool {
    extended_code(error) == Some(ffi::SQLITE_READONLY_ROLLBACK)
}

/// The hook that looks before each commit refused this one, or there is nothing to open.
fn is_lost(error: &Error) -> bool {
    matches!(extended_code(error), Some(ffi::SQLITE_CONSTRAINT_COMMITHOOK | ffi::SQLITE_CANTOPEN))
}

/// Whether something else kept SQLite from writing.
fn is_kept_out(error: &Error) -> bool {
    use ErrorCode::{DatabaseBusy, DatabaseLocked, ReadOnly};
    matches!(error.sqlite_error_code(), Some(DatabaseBusy | DatabaseLocked | ReadOnly))
}

/// A rule of the schema refused a statement, which is undone; what came before it in the transaction stays.
fn is_constraint(error: &Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) && !is_lost(error)
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::Duration;

    use rstest::rstest;
    use rusqlite::{Connection, OpenFlags};

    use super::*;

    fn connect(file: &Path, read_only: bool) -> Result<Connection, Error> {
        let flags = if read_only { OpenFlags::SQLITE_OPEN_READ_ONLY } else { OpenFlags::default() };
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
