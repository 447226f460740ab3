//! For tests: a database without a store, and the plan that SQLite has for a statement.

use std::path::Path;

use super::database::Store;
use crate::service::content::blobs::BlobNames;

/// Opens a database without blobs.
pub(in crate::service::store) async fn open(file: &Path) -> Store {
    Store::open(file, Some(BlobNames::below(file.with_file_name("blobs")))).await.unwrap()
}

/// A store without rows. SQLite plans by what it knows of the tables, which is nothing, and so the same in a full one.
pub(in crate::service::store) async fn store() -> (tempfile::TempDir, Store) {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir.path().join("test.db")).await;
    (dir, store)
}

/// Carries out statements where the store writes.
pub(in crate::service::store) async fn carry_out(store: &Store, statements: &str) {
    let statements = statements.to_owned();
    store.embedded().unwrap().alone(move |connection| Ok(connection.execute_batch(&statements)?)).await.unwrap();
}

/// The one number that a query gives.
pub(in crate::service::store) async fn number(store: &Store, query: &'static str) -> i64 {
    let number =
        store.embedded().unwrap().alone(move |connection| Ok(connection.query_row(query, [], |row| row.get(0))?));
    number.await.unwrap()
}

/// The steps, a line each.
pub(in crate::service::store) async fn plan(store: &Store, statement: &str) -> String {
    let explained = format!("EXPLAIN QUERY PLAN {statement}");
    let steps = store.embedded().unwrap().alone(move |connection| {
        let mut statement = connection.prepare(&explained)?;
        let steps = statement.raw_query().mapped(|row| row.get::<_, String>("detail"));
        Ok(steps.collect::<Result<Vec<_>, _>>()?)
    });
    steps.await.unwrap().join("\n")
}
