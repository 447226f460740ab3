//! For tests: a database without a store, and the plan that SQLite has for a statement.

use std::path::Path;

use sqlx::{AssertSqlSafe, Row as _};

use super::database::Store;
use crate::service::content::blobs::BlobNames;

/// Opens a database without blobs.
pub(super) async fn open(file: &Path) -> Store {
    Store::open(file, &BlobNames::below(file.with_file_name("blobs"))).await.unwrap()
}

/// A store without rows. SQLite plans by what it knows of the tables, which is nothing, and so the same in a full one.
pub(super) async fn store() -> (tempfile::TempDir, Store) {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir.path().join("test.db")).await;
    (dir, store)
}

/// The steps, a line each.
pub(super) async fn plan(store: &Store, statement: &str) -> String {
    let explained = AssertSqlSafe(format!("EXPLAIN QUERY PLAN {statement}"));
    let rows = sqlx::query(explained).fetch_all(&store.readers).await.unwrap();
    rows.iter().map(|row| row.get::<String, _>("detail")).collect::<Vec<_>>().join("\n")
}
