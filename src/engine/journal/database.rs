//! The database of a journal: how it is opened, what it may cost, what goes wrong with it.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::Timestamp;
use sqlx::SqlSafeStr as _;
use sqlx::error::DatabaseError;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};

use super::run::RunLock;
use crate::api::{Error, Kind};

/// There is no room left on the disk.
const SQLITE_FULL: &str = "13";

/// The journal of one account. Clones share the database.
#[derive(Debug, Clone)]
pub struct Journal {
    pub(super) pool: SqlitePool,
    pub(super) account: String,
    pub(super) run: Arc<RunLock>,
    pub(super) path: PathBuf,
    /// How often the account was changed in this run. Locked while the names for completions are written or removed.
    pub(super) changes: Arc<Mutex<u64>>,
}

impl Journal {
    /// Opens the database at `path`, and makes it if it is not there; its directory must exist. `account` tells this
    /// account's rows from others'.
    pub async fn open(path: &Path, account: impl Into<String>) -> Result<Self, Error> {
        let run = RunLock::begin(path).map_err(|error| unusable(path, &error))?;
        let _alone = alone(path).await.map_err(|error| unusable(path, &error))?;
        Self::connect(options(path, SqliteSynchronous::Full), path, account.into(), run).await
    }

    /// The same for leases alone, which need not be on the disk before their requests are sent.
    pub(super) async fn open_leases(path: &Path, account: impl Into<String>) -> Result<Self, Error> {
        let _alone = alone(path).await.map_err(|error| unusable(path, &error))?;
        Self::connect(options(path, SqliteSynchronous::Normal), path, account.into(), RunLock::alone()).await
    }

    /// A journal that nothing outlives the process in.
    pub async fn in_memory(account: impl Into<String>) -> Result<Self, Error> {
        let options = SqliteConnectOptions::new().in_memory(true);
        Self::connect(options, Path::new("in memory"), account.into(), RunLock::alone()).await
    }

    async fn connect(options: SqliteConnectOptions, path: &Path, account: String, run: RunLock) -> Result<Self, Error> {
        // One connection, kept: writes are few and small, SQLite takes them one by one anyway, and a database in memory
        // is gone with its connection.
        let pool = SqlitePoolOptions::new().max_connections(1).min_connections(1).max_lifetime(None).idle_timeout(None);
        let pool = pool.connect_with(options).await.map_err(|error| unusable(path, &error))?;
        migrator().run(&pool).await.map_err(|error| unusable(path, &error))?;
        Ok(Self { pool, account, run: Arc::new(run), path: path.to_owned(), changes: Arc::default() })
    }

    /// Continues without the row: what it was for has happened already, and must not be reported as a failure.
    pub(crate) fn log_failure(written: Result<(), Error>) {
        if let Err(error) = written {
            tracing::warn!(%error, "the journal lacks a row");
        }
    }

    pub(super) fn failed(&self, error: &sqlx::Error) -> Error {
        let code = error.as_database_error().and_then(DatabaseError::code);
        let kind = if code.as_deref() == Some(SQLITE_FULL) { Kind::DiskFull } else { Kind::Local };
        Error { kind, ..unusable(&self.path, error) }
    }
}

fn options(path: &Path, synchronous: SqliteSynchronous) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(synchronous)
        .busy_timeout(Duration::from_secs(5))
}

/// Waits until no other process brings the journal to its newest form: two that did so at once would get in each other's
/// way. Nobody else does as long as the result is kept.
async fn alone(path: &Path) -> io::Result<File> {
    let gate = path.with_added_extension("gate");
    let wait = move || {
        let gate = File::create(gate)?;
        gate.lock()?;
        Ok(gate)
    };
    tokio::task::spawn_blocking(wait).await.unwrap_or_else(|error| Err(io::Error::other(error)))
}

pub(super) fn migrator() -> Migrator {
    let migration = |number, name: &'static str, sql: &'static str| {
        Migration::new(number, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
    };
    Migrator::with_migrations(vec![
        migration(1, "unfinished work", include_str!("../../../assets/migrations/journal/0001_unfinished_work.sql")),
        migration(
            2,
            "folders of downloads",
            include_str!("../../../assets/migrations/journal/0002_folders_of_downloads.sql"),
        ),
        migration(3, "queue", include_str!("../../../assets/migrations/journal/0003_queue.sql")),
        migration(4, "times of jobs", include_str!("../../../assets/migrations/journal/0004_times_of_jobs.sql")),
        migration(5, "limits", include_str!("../../../assets/migrations/journal/0005_limits.sql")),
        migration(6, "deletions", include_str!("../../../assets/migrations/journal/0006_deletions.sql")),
        migration(
            7,
            "deletions of folders",
            include_str!("../../../assets/migrations/journal/0007_folder_deletions.sql"),
        ),
        migration(8, "paths of uploads", include_str!("../../../assets/migrations/journal/0008_paths_of_uploads.sql")),
        migration(9, "count of changes", include_str!("../../../assets/migrations/journal/0009_changes.sql")),
        migration(10, "leases of requests", include_str!("../../../assets/migrations/journal/0010_request_leases.sql")),
    ])
}

fn unusable(path: &Path, error: &dyn std::error::Error) -> Error {
    Error::new(Kind::Local, format!("The journal {} cannot be used: {error}", path.display()))
}

/// A time as it is kept.
pub(super) fn time(millis: i64) -> Timestamp {
    Timestamp::from_millisecond(millis).unwrap_or(Timestamp::UNIX_EPOCH)
}
