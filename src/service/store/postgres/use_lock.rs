//! The lock that shows who uses the store: each connection of a process that serves it shares the
//! lock, and a copy takes it exclusively. PostgreSQL releases it when the connection ends, for
//! whatever reason.

use std::time::Duration;

use backon::{ConstantBuilder, Retryable as _};
use tokio_postgres::{Client, Error};

/// The first part of the lock's key; the second is the schema that the tables are in.
const LOCK: i32 = 0x6669_6c65;

const SHARE: &str = "SELECT pg_try_advisory_lock_shared($1, oid::INTEGER) FROM pg_namespace WHERE nspname = current_schema()";
const TAKE: &str = "SELECT pg_try_advisory_lock($1, oid::INTEGER) FROM pg_namespace WHERE nspname = current_schema()";

/// Returns `false` while a copy holds the lock.
pub(super) async fn share(client: &Client) -> Result<bool, Error> {
    is_taken(client, SHARE).await
}

/// Returns `false` if others hold the lock for two seconds, longer than the server keeps that of a
/// stopped process.
pub(super) async fn take(client: &Client) -> Result<bool, Error> {
    let tries = ConstantBuilder::new()
        .with_delay(Duration::from_millis(50))
        .with_max_times(40);
    let attempt = async || {
        is_taken(client, TAKE)
            .await
            .map_err(Some)?
            .then_some(())
            .ok_or(None)
    };
    match attempt.retry(tries).when(Option::is_none).await {
        Ok(()) => Ok(true),
        Err(None) => Ok(false),
        Err(Some(error)) => Err(error),
    }
}

async fn is_taken(client: &Client, lock: &str) -> Result<bool, Error> {
    // Without a schema there is nothing that others could use.
    client
        .query_opt(lock, &[&LOCK])
        .await?
        .map_or(Ok(true), |row| row.try_get(0))
}
