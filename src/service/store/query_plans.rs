//! Test helpers: a database without the rest of the service, and the query plan of SQLite for a
//! statement.

use std::path::Path;

use super::database::Store;
use crate::service::content::blobs::BlobNames;

pub(in crate::service::store) async fn open(file: &Path) -> Store {
    Store::open(file, Some(BlobNames::below(file.with_file_name("blobs"))))
        .await
        .unwrap()
}

/// Returns a store without rows. SQLite plans by table statistics, and has none here, just as in a
/// full store.
pub(in crate::service::store) async fn store() -> (tempfile::TempDir, Store) {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir.path().join("test.db")).await;
    (dir, store)
}

pub(in crate::service::store) async fn carry_out(store: &Store, statements: &str) {
    let statements = statements.to_owned();
    store
        .embedded()
        .unwrap()
        .alone(move |connection| Ok(connection.execute_batch(&statements)?))
        .await
        .unwrap();
}

pub(in crate::service::store) async fn number(store: &Store, query: &'static str) -> i64 {
    let number = store
        .embedded()
        .unwrap()
        .alone(move |connection| Ok(connection.query_row(query, [], |row| row.get(0))?));
    number.await.unwrap()
}

pub(in crate::service::store) async fn plan(store: &Store, statement: &str) -> String {
    let explained = format!("EXPLAIN QUERY PLAN {statement}");
    let steps = store.embedded().unwrap().alone(move |connection| {
        let mut statement = connection.prepare(&explained)?;
        let steps = statement
            .raw_query()
            .mapped(|row| row.get::<_, String>("detail"));
        Ok(steps.collect::<Result<Vec<_>, _>>()?)
    });
    steps.await.unwrap().join("\n")
}
