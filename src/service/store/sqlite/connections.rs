//! Connections to SQLite as the service uses them: in WAL mode, with every commit synced to the
//! disk.

use std::io;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use crate::connection_threads::Unanswered;
use crate::service::store::error::StoreError;

pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// The number of statements that a connection keeps prepared: all fixed ones, and searches.
const STATEMENTS: usize = 256;

/// Opens a connection for the service. Fails if the file is missing, so that no connection starts
/// an empty store.
pub(super) fn connect(file: &Path) -> Result<Connection, rusqlite::Error> {
    let connection = open(file, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    // Permanently deleted data must not stay readable in free pages
    // (`guarantees.md#a-permanent-deletion-leaves-nothing`). A change to more than about sixteen
    // pages, as for a new file, would write its statement journal, and with it data that is to be
    // erased, to a file in the shared temporary folder.
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON;
         PRAGMA temp_store = MEMORY",
    )?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    Ok(connection)
}

pub(super) fn open(file: &Path, access: OpenFlags) -> Result<Connection, rusqlite::Error> {
    // Each connection is used by one thread at a time.
    let connection = Connection::open_with_flags(file, access | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    Ok(connection)
}

pub(super) fn utf8(file: &Path) -> Result<&str, StoreError> {
    file.to_str()
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the path is not UTF-8").into())
}

/// Runs work that may wait for the disk or another program on a blocking thread.
pub(super) async fn beside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|_| Unanswered)?
}
