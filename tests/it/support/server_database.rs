//! The database of a test's service: if `FILEDECK_TEST_DATABASE` names a server, a schema of its
//! own there for each directory, so that the same tests run on both kinds.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;

use filedeck::service::DatabaseAddress;
use tokio_postgres::{Client, NoTls};

/// `None` if the service keeps its rows in its directory.
pub async fn for_directory(dir: &Path) -> Option<DatabaseAddress> {
    Some(DatabaseAddress::parse(&address(dir).await?, None, None).unwrap())
}

pub async fn address(dir: &Path) -> Option<String> {
    let address = std::env::var("FILEDECK_TEST_DATABASE").ok()?;
    let schema = schema(dir);
    let (client, connection) = tokio_postgres::connect(&address, NoTls).await.unwrap();
    let connection = tokio::spawn(connection);
    client
        .batch_execute(&format!("CREATE SCHEMA IF NOT EXISTS {schema}"))
        .await
        .unwrap();
    drop(client);
    connection.await.unwrap().unwrap();
    Some(format!("{address}?options=-csearch_path%3D{schema},public"))
}

fn schema(dir: &Path) -> String {
    let mut hasher = DefaultHasher::new();
    dir.hash(&mut hasher);
    format!("test_{:016x}", hasher.finish())
}

/// A connection to the schema of a directory; `None` if the service keeps its rows in its
/// directory.
pub async fn connect(dir: &Path) -> Option<Client> {
    let address = std::env::var("FILEDECK_TEST_DATABASE").ok()?;
    let (client, connection) = tokio_postgres::connect(&address, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
        .batch_execute(&format!("SET search_path = {}", schema(dir)))
        .await
        .unwrap();
    Some(client)
}

/// Executes a statement in the schema of a directory; returns `false` if the service keeps its rows
/// in its directory.
pub async fn execute(dir: &Path, statement: &str) -> bool {
    let Some(client) = connect(dir).await else {
        return false;
    };
    client.batch_execute(statement).await.unwrap();
    true
}
