//! Direct access to a store's database.

use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;

pub fn execute(file: &Path, statement: &'static str) {
    Connection::open(file)
        .unwrap()
        .execute_batch(statement)
        .unwrap();
}

/// Executes a statement that SQLite does not normally allow.
pub fn damage(file: &Path, statement: &'static str) {
    let database = Connection::open(file).unwrap();
    database
        .set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_DEFENSIVE, false)
        .unwrap();
    database
        .execute_batch("PRAGMA writable_schema = ON")
        .unwrap();
    database.execute_batch(statement).unwrap();
}

/// Copies the present database to a file, replacing it.
pub fn copy(file: &Path, to: &Path) {
    std::fs::remove_file(to).unwrap();
    Connection::open(file)
        .unwrap()
        .execute("VACUUM INTO ?1", [to.to_str().unwrap()])
        .unwrap();
}

pub fn number(file: &Path, query: &'static str) -> i64 {
    Connection::open(file)
        .unwrap()
        .query_row(query, [], |row| row.get(0))
        .unwrap()
}

/// Waits for the end of a new store's first round of background work: it records the time, and then
/// empties the log.
pub async fn first_round(store: &Path) {
    let (file, log) = (store.join("filedeck.db"), store.join("filedeck.db-wal"));
    let is_over = async {
        while number(
            &file,
            "SELECT COUNT(*) FROM marks WHERE name = 'trusted_time'",
        ) == 0
            || log.metadata().unwrap().len() > 0
        {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), is_over)
        .await
        .unwrap();
}

/// Keeps everybody else from writing, as another program does, until the result is dropped.
pub fn lock(file: &Path) -> Connection {
    let connection = Connection::open(file).unwrap();
    connection.execute_batch("BEGIN IMMEDIATE").unwrap();
    connection
}
