//! A store's database as the tests lay hands on it.

use std::path::Path;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection};

/// Carries out a statement, on a database that no service is using.
pub(crate) async fn execute(file: &Path, statement: &'static str) {
    let mut connection = SqliteConnectOptions::new().filename(file).connect().await.unwrap();
    sqlx::query(statement).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

/// Keeps everybody else from writing, as another program does, until the result is dropped.
pub(crate) async fn lock(file: &Path) -> SqliteConnection {
    let mut connection = SqliteConnectOptions::new().filename(file).connect().await.unwrap();
    sqlx::query("BEGIN IMMEDIATE").execute(&mut connection).await.unwrap();
    connection
}
