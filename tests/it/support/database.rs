//! A store's database as the tests lay hands on it.

use std::path::Path;
use std::time::Duration;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection};

/// Takes the newest form from the database again, as if an older filedeck had made it.
pub async fn make_older(file: &Path) {
    let mut connection = SqliteConnectOptions::new().filename(file).connect().await.unwrap();
    let undone = "DROP TABLE recovered_files; DROP TRIGGER recovered_files_replaced;
                  DELETE FROM marks WHERE name = 'names_tell'";
    sqlx::raw_sql(undone).execute(&mut connection).await.unwrap();
    let newest = "DELETE FROM _sqlx_migrations WHERE version = (SELECT MAX(version) FROM _sqlx_migrations)";
    sqlx::query(newest).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

/// Carries out a statement.
pub async fn execute(file: &Path, statement: &'static str) {
    let mut connection = SqliteConnectOptions::new().filename(file).connect().await.unwrap();
    sqlx::query(statement).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

/// Writes the database as it is now to a file, in place of what is there.
pub async fn copy(file: &Path, to: &Path) {
    std::fs::remove_file(to).unwrap();
    let mut connection = SqliteConnectOptions::new().filename(file).connect().await.unwrap();
    sqlx::query("VACUUM INTO $1").bind(to.to_str().unwrap()).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

/// The one number that a query gives.
pub async fn number(file: &Path, query: &'static str) -> i64 {
    let mut connection = SqliteConnectOptions::new().filename(file).connect().await.unwrap();
    let number = sqlx::query_scalar(query).fetch_one(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    number
}

/// Waits until the first round of a new store's background work is over: it notes the time, and at last empties the log.
pub async fn first_round(store: &Path) {
    let (file, log) = (store.join("filedeck.db"), store.join("filedeck.db-wal"));
    let is_over = async {
        while number(&file, "SELECT COUNT(*) FROM marks WHERE name = 'trusted_time'").await == 0
            || log.metadata().unwrap().len() > 0
        {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), is_over).await.unwrap();
}

/// Keeps everybody else from writing, as another program does, until the result is dropped.
pub async fn lock(file: &Path) -> SqliteConnection {
    let mut connection = SqliteConnectOptions::new().filename(file).connect().await.unwrap();
    sqlx::query("BEGIN IMMEDIATE").execute(&mut connection).await.unwrap();
    connection
}
