//! The database of a journal: how it is opened, its transactions, and its errors.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::Timestamp;
use rusqlite::{Connection, ErrorCode, OpenFlags, Params, Row, Transaction, TransactionBehavior};

use super::run::RunLock;
use crate::api::{Error, Kind};
use crate::connection_threads::ConnectionThreads;
use crate::database_form::{self, Migrations};
use crate::regular_file::{self, Links};

pub(super) const MIGRATIONS: &Migrations = &[
    (
        13,
        "journal",
        include_str!("../../../assets/schema/journal.sql"),
    ),
    (
        14,
        "copies_of_accounts",
        // The JSON of the file that a copy from an account has stored or found.
        "ALTER TABLE item ADD COLUMN stored TEXT",
    ),
];

/// The number of prepared statements to keep: more than there are.
const STATEMENTS: usize = 128;

type OpenError = Box<dyn std::error::Error + Send + Sync>;

/// The journal of one account. Clones share the database.
#[derive(Debug, Clone)]
pub struct Journal {
    /// A single one: writes are few and small, and SQLite takes them one by one anyway.
    pub(super) connection: ConnectionThreads<Connection>,
    pub(super) account: Arc<str>,
    pub(super) run: Arc<RunLock>,
    pub(super) path: Arc<Path>,
    /// A checksum of the command line that works with it, if one does.
    pub(super) command: Option<Arc<str>>,
    /// The number of changes to the account in this run. Locked while the names for completion are
    /// written or removed.
    pub(super) changes: Arc<Mutex<u64>>,
}

impl Journal {
    /// Opens or creates the database at `path`, in an existing directory. `account` marks the rows
    /// of this account.
    pub async fn open(path: &Path, account: impl Into<String>) -> Result<Self, Error> {
        let run = RunLock::begin(path).map_err(|error| unusable(path, &error))?;
        Self::start(path, account.into(), run, |path| open(path, "FULL")).await
    }

    /// Opens it for leases alone, which need not be on the disk before their requests are sent.
    pub(super) async fn open_leases(
        path: &Path,
        account: impl Into<String>,
    ) -> Result<Self, Error> {
        Self::start(path, account.into(), RunLock::alone(), |path| {
            open(path, "NORMAL")
        })
        .await
    }

    /// Creates a journal that does not outlive the process.
    pub async fn in_memory(account: impl Into<String>) -> Result<Self, Error> {
        let path = Path::new("in memory");
        Self::start(path, account.into(), RunLock::alone(), |_| {
            renew(Connection::open_in_memory()?)
        })
        .await
    }

    async fn start(
        path: &Path,
        account: String,
        run: RunLock,
        open: impl FnOnce(&Path) -> Result<Connection, OpenError> + Send + 'static,
    ) -> Result<Self, Error> {
        let path: Arc<Path> = path.into();
        let at = path.clone();
        let start = move || Ok::<_, OpenError>(ConnectionThreads::start("journal", [open(&at)?])?);
        let connection = tokio::task::spawn_blocking(start)
            .await
            .unwrap_or_else(|error| Err(error.into()));
        let connection = connection.map_err(|error| unusable(&path, &*error))?;
        Ok(Self {
            connection,
            account: account.into(),
            run: run.into(),
            path,
            command: None,
            changes: Arc::default(),
        })
    }

    /// Returns the same journal for the work of one command line, of which `command` is a checksum.
    #[must_use]
    pub fn of_command(self, command: &str) -> Self {
        Self {
            command: Some(command.into()),
            ..self
        }
    }

    /// Logs a failure to write. What the row records has happened already, and must not be reported
    /// as a failure.
    pub(crate) fn log_failure(written: Result<(), Error>) {
        if let Err(error) = written {
            tracing::warn!(%error, "the journal lacks a row");
        }
    }

    pub(super) async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Self, &Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, Error> {
        self.ask(|journal, connection| read(journal, connection))
            .await
    }

    pub(super) async fn find<T: Send + 'static>(
        &self,
        query: &'static str,
        values: impl Params + Send + 'static,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<Vec<T>, Error> {
        self.read(move |_, connection| {
            connection
                .prepare_cached(query)?
                .query_map(values, read)?
                .collect()
        })
        .await
    }

    /// Makes a change, all of it or nothing.
    pub(super) async fn change<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Self, &Transaction<'_>) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, Error> {
        self.ask(|journal, connection| {
            transact(connection, |transaction| change(journal, transaction))
        })
        .await
    }

    /// Does `work` to its end, even if nobody waits for it anymore; the run does not end before
    /// that.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self, &mut Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, Error> {
        let journal = self.clone();
        let done = self
            .connection
            .run(move |connection| work(&journal, connection))
            .await;
        done.map_err(|error| unusable(&self.path, &error))?
            .map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &rusqlite::Error) -> Error {
        let is_full = error.sqlite_error_code() == Some(ErrorCode::DiskFull);
        let kind = if is_full { Kind::DiskFull } else { Kind::Local };
        Error {
            kind,
            ..unusable(&self.path, error)
        }
    }
}

/// Commits what `change` makes; an error rolls it back. Other processes write, too: unless it is
/// locked from the start, a transaction that reads first may be unable to write afterwards.
pub(super) fn transact<T>(
    connection: &mut Connection,
    change: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let made = change(&transaction)?;
    transaction.commit()?;
    Ok(made)
}

fn open(path: &Path, synchronous: &str) -> Result<Connection, OpenError> {
    let _alone = alone(path)?;
    // SQLite gives the files beside the database its mode, and opens none of them through a link.
    regular_file::open_own(path)?;
    for suffix in ["-wal", "-shm"] {
        let mut beside = path.as_os_str().to_owned();
        beside.push(suffix);
        if Links::Refused.metadata(beside.as_ref()).is_ok() {
            regular_file::open_own(beside.as_ref())?;
        }
    }
    // SQLite refuses a link in any folder above, too.
    let path = match (
        path.parent().map(Path::canonicalize).transpose()?,
        path.file_name(),
    ) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    };
    let access = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_NOFOLLOW
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, access)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.execute_batch(&format!(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = {synchronous}"
    ))?;
    renew(connection)
}

fn renew(mut connection: Connection) -> Result<Connection, OpenError> {
    connection.execute_batch("PRAGMA foreign_keys = ON")?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    database_form::renew::<OpenError>(&mut connection, MIGRATIONS)?;
    Ok(connection)
}

/// Waits until no other process brings the journal to its newest form: two at once would get in
/// each other's way. Others wait as long as the result is kept.
fn alone(path: &Path) -> io::Result<File> {
    let gate = regular_file::open_own(&path.with_added_extension("gate"))?;
    gate.lock()?;
    Ok(gate)
}

fn unusable(path: &Path, error: &dyn std::error::Error) -> Error {
    Error::new(
        Kind::Local,
        format!("The journal {} cannot be used: {error}", path.display()),
    )
}

pub(super) fn time(millis: i64) -> Timestamp {
    Timestamp::from_millisecond(millis).unwrap_or(Timestamp::UNIX_EPOCH)
}

pub(super) fn size(bytes: Option<i64>) -> Option<u64> {
    bytes.and_then(|bytes| u64::try_from(bytes).ok())
}
