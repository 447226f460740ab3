//! Why the store refused or failed.

use std::io;
use std::sync::Arc;

use crate::service::content::disk::is_disk_full;
use crate::service::domain::names::NameError;

#[derive(Debug, thiserror::Error)]
pub(crate) enum StoreError {
    #[error("the database failed{}", advice(.0))]
    Database(#[from] sqlx::Error),
    /// Another change of the same transaction failed, and that was given up before its commit.
    #[error("the database took the change back{}", advice(.0))]
    TakenBack(#[source] Arc<sqlx::Error>),
    /// The change was made, its commit failed.
    #[error("the database could not commit{}", advice(.0))]
    Commit(#[source] Arc<sqlx::Error>),
    #[error(
        "the database was made by a newer filedeck (its form is {found}, this one knows {known} at most); \
         use the newer one, or a backup from before"
    )]
    Newer { found: i64, known: i64 },
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
            Self::Database(cause) => matches!(cause, sqlx::Error::WorkerCrashed),
            _ => false,
        }
    }

    /// Whether the database file is not there anymore, or not the one that was opened: nothing was done.
    pub(crate) fn is_lost(&self) -> bool {
        self.database().is_some_and(is_lost)
    }

    /// Whether the database found no room on the disk.
    pub(crate) fn is_full(&self) -> bool {
        self.database().is_some_and(is_full)
    }

    /// Whether the database is damaged, or something in it: of its own parts FTS5 says no more than that they are wrong.
    pub(super) fn is_damage(&self) -> bool {
        let code = self.database().and_then(extended_code);
        code.is_some_and(|code| matches!(code & 0xff, code::CORRUPT | code::ERROR))
    }

    /// Whether it is about what was asked for alone: what came before it in the same transaction stays.
    pub(crate) fn is_refusal(&self) -> bool {
        self.database().is_none_or(is_constraint)
    }

    /// What it means for changes of the same transaction, if the database failed in a way that may have ended that.
    pub(super) fn for_others(&self) -> Option<sqlx::Error> {
        let cause = self.database().filter(|cause| !is_constraint(cause))?;
        let kind = if is_full(cause) { io::ErrorKind::StorageFull } else { io::ErrorKind::Other };
        Some(sqlx::Error::Io(io::Error::new(kind, format!("another change of the same commit failed: {cause}"))))
    }

    fn database(&self) -> Option<&sqlx::Error> {
        match self {
            Self::Database(cause) => Some(cause),
            Self::TakenBack(cause) | Self::Commit(cause) => Some(cause),
            _ => None,
        }
    }
}

/// SQLite's result codes: <https://sqlite.org/rescode.html>.
mod code {
    pub(super) const ERROR: u32 = 1;
    pub(super) const BUSY: u32 = 5;
    pub(super) const LOCKED: u32 = 6;
    pub(super) const READONLY: u32 = 8;
    /// A transaction that was cut short would have to be taken back first.
    pub(super) const READONLY_ROLLBACK: u32 = READONLY | (3 << 8);
    pub(super) const IOERR: u32 = 10;
    pub(super) const CORRUPT: u32 = 11;
    pub(super) const FULL: u32 = 13;
    pub(super) const CANTOPEN: u32 = 14;
    pub(super) const NOTADB: u32 = 26;
    /// No room for the index of the write-ahead log.
    pub(super) const IOERR_SHMSIZE: u32 = IOERR | (0x13 << 8);
    /// The hook that looks before each commit refused this one.
    pub(super) const CONSTRAINT_COMMITHOOK: u32 = 0x13 | (2 << 8);
}

/// The result code, with all that SQLite adds to the plain one.
fn extended_code(error: &sqlx::Error) -> Option<u32> {
    error.as_database_error()?.code()?.parse().ok()
}

/// What to do about a failure, to follow its message.
fn advice(error: &sqlx::Error) -> &'static str {
    if is_full(error) {
        return ": the disk is full; make room on it";
    }
    match extended_code(error).map(|code| code & 0xff) {
        Some(code::BUSY | code::LOCKED) => ": another program keeps it locked; end that one and try again",
        Some(code::READONLY) => ": it cannot be written to; make the directory and its files writable for this user",
        Some(code::IOERR) => ": the disk failed; make a copy of the directory before anything else",
        Some(code::CORRUPT | code::NOTADB) => {
            ": the file is damaged; restore a backup, or run 'filedeck store recover', which keeps the file"
        }
        Some(code::CANTOPEN) => ": its file cannot be opened; put it back, or make it readable for this user",
        _ => "",
    }
}

fn is_full(error: &sqlx::Error) -> bool {
    matches!(extended_code(error), Some(code::FULL | code::IOERR_SHMSIZE)) || is_disk_full(error)
}

/// Whether a connection that only reads met a transaction that was cut short.
pub(super) fn is_half_done(error: &sqlx::Error) -> bool {
    extended_code(error) == Some(code::READONLY_ROLLBACK)
}

fn is_lost(error: &sqlx::Error) -> bool {
    matches!(extended_code(error), Some(code::CONSTRAINT_COMMITHOOK | code::CANTOPEN))
}

/// Whether something else kept SQLite from writing.
fn is_kept_out(error: &sqlx::Error) -> bool {
    matches!(extended_code(error).map(|code| code & 0xff), Some(code::BUSY | code::LOCKED | code::READONLY))
}

/// A rule of the schema refused a statement, which is undone; what came before it in the transaction stays.
fn is_constraint(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|error| !matches!(error.kind(), sqlx::error::ErrorKind::Other))
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::Duration;

    use rstest::rstest;
    use sqlx::sqlite::SqliteConnectOptions;
    use sqlx::{ConnectOptions as _, SqliteConnection};

    use super::*;

    async fn connect(file: &Path, read_only: bool) -> Result<SqliteConnection, sqlx::Error> {
        let options = SqliteConnectOptions::new().filename(file).create_if_missing(!read_only).read_only(read_only);
        options.busy_timeout(Duration::ZERO).connect().await
    }

    async fn run(connection: &mut SqliteConnection, statement: &'static str) -> Result<(), sqlx::Error> {
        sqlx::query(statement).execute(connection).await.map(drop)
    }

    async fn locked(file: &Path) -> Result<(), sqlx::Error> {
        let mut other = connect(file, false).await?;
        run(&mut other, "BEGIN EXCLUSIVE").await?;
        run(&mut connect(file, false).await?, "CREATE TABLE a (b)").await
    }

    async fn read_only(file: &Path) -> Result<(), sqlx::Error> {
        run(&mut connect(file, false).await?, "CREATE TABLE c (d)").await?;
        run(&mut connect(file, true).await?, "CREATE TABLE a (b)").await
    }

    async fn full(file: &Path) -> Result<(), sqlx::Error> {
        let mut connection = connect(file, false).await?;
        run(&mut connection, "PRAGMA max_page_count = 1").await?;
        run(&mut connection, "CREATE TABLE a (b)").await
    }

    async fn damaged(file: &Path) -> Result<(), sqlx::Error> {
        std::fs::write(file, b"no database ".repeat(1000))?;
        run(&mut connect(file, false).await?, "CREATE TABLE a (b)").await
    }

    async fn missing(file: &Path) -> Result<(), sqlx::Error> {
        connect(&file.with_file_name("not there"), true).await.map(drop)
    }

    #[rstest]
    #[case::locked(locked, "end that one")]
    #[case::read_only(read_only, "writable for this user")]
    #[case::full(full, "make room")]
    #[case::damaged(damaged, "filedeck store recover")]
    #[case::missing(missing, "put it back")]
    #[tokio::test]
    async fn a_failure_of_the_database_says_what_to_do(
        #[case] fail: impl AsyncFn(&Path) -> Result<(), sqlx::Error>,
        #[case] advice: &str,
    ) {
        let dir = tempfile::tempdir().unwrap();
        let message = StoreError::from(fail(&dir.path().join("test.db")).await.unwrap_err()).to_string();
        assert!(message.contains(advice), "{message}");
    }
}
