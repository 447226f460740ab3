//! The schema versions of the database and the migration to the newest one, by one process at a
//! time.

use tokio_postgres::Client;

use crate::database_form::{self, Migrations};
use crate::service::store::error::StoreError;

const MIGRATIONS: &Migrations = &[(
    4,
    "store",
    include_str!("../../../../assets/schema/store_in_postgres.sql"),
)];

const LOCK: i64 = 0x6669_6c65_6465_636b;

/// Migrates the database to the newest schema version. Refuses a version that this filedeck does
/// not know.
pub(super) async fn renew(client: &mut Client) -> Result<(), StoreError> {
    let encoding: String = client
        .query_one("SHOW server_encoding", &[])
        .await?
        .try_get(0)?;
    if encoding != "UTF8" {
        return Err(StoreError::Encoding(encoding));
    }
    // Another process may be migrating the database, or vacuuming a table that has to be changed.
    client
        .batch_execute("SET lock_timeout = 0; SET statement_timeout = 0")
        .await?;
    client
        .execute("SELECT pg_advisory_lock($1)", &[&LOCK])
        .await?;
    let renewed = renew_alone(client).await;
    let unlocked = client
        .execute("SELECT pg_advisory_unlock($1)", &[&LOCK])
        .await;
    let limited = client
        .batch_execute("RESET lock_timeout; RESET statement_timeout")
        .await;
    renewed?;
    unlocked?;
    limited?;
    Ok(())
}

async fn renew_alone(client: &mut Client) -> Result<(), StoreError> {
    if form(client).await?.is_some() {
        let joined = database_form::joined_history(MIGRATIONS)?;
        client.batch_execute(&joined).await?;
    }
    database_form::runner(MIGRATIONS)?.run_async(client).await?;
    Ok(())
}

/// Returns the schema version; `None` if the database is empty. Refuses one that this filedeck does
/// not know.
pub(super) async fn form(client: &Client) -> Result<Option<i32>, StoreError> {
    let is_there = client
        .query_one(
            "SELECT to_regclass('refinery_schema_history') IS NOT NULL",
            &[],
        )
        .await?;
    if !is_there.try_get::<_, bool>(0)? {
        return Ok(None);
    }
    let found = client
        .query_one("SELECT MAX(version) FROM refinery_schema_history", &[])
        .await?
        .try_get(0)?;
    database_form::check(found, MIGRATIONS)?;
    Ok(found)
}
