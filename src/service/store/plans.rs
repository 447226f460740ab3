//! For tests: how SQLite goes about a statement.

use sqlx::{AssertSqlSafe, Row as _};

use super::database::Store;

/// A store without rows. SQLite plans by what it knows of the tables, which is nothing, and so the same in a full one.
pub(super) async fn store() -> (tempfile::TempDir, Store) {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(&dir.path().join("test.db")).await.unwrap();
    (dir, store)
}

/// The steps, a line each.
pub(super) async fn plan(store: &Store, statement: &str) -> String {
    let explained = AssertSqlSafe(format!("EXPLAIN QUERY PLAN {statement}"));
    let rows = sqlx::query(explained).fetch_all(&store.readers).await.unwrap();
    rows.iter().map(|row| row.get::<String, _>("detail")).collect::<Vec<_>>().join("\n")
}
