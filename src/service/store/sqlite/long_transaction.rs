//! A transaction that stays open across calls, on a connection of its own, with the state it needs.

use rusqlite::Connection;

use super::connections::{beside, connect};
use super::database::EmbeddedDatabase;
use super::tables::SqliteTables;
use crate::connection_threads::ConnectionThreads;
use crate::service::store::error::StoreError;

/// If this is dropped before its commit, nothing is changed.
pub(crate) struct LongTransaction<T>(ConnectionThreads<(Connection, T)>);

impl EmbeddedDatabase {
    pub(in crate::service::store) async fn long_transaction<T: Send + 'static>(
        &self,
        with: T,
    ) -> Result<LongTransaction<T>, StoreError> {
        let presence = self.presence.clone();
        beside(move || {
            let connection = connect(presence.file())?;
            presence.guard(&connection)?;
            connection.execute_batch("BEGIN IMMEDIATE")?;
            Ok(LongTransaction(ConnectionThreads::start(
                "transaction",
                [(connection, with)],
            )?))
        })
        .await
    }
}

impl<T: Send + 'static> LongTransaction<T> {
    pub(crate) async fn run<A: Send + 'static>(
        &self,
        step: impl FnOnce(&SqliteTables<'_>, &mut T) -> Result<A, StoreError> + Send + 'static,
    ) -> Result<A, StoreError> {
        self.0
            .run(|(connection, with)| step(&SqliteTables(connection), with))
            .await?
    }

    pub(crate) async fn commit(self) -> Result<(), StoreError> {
        let committed = self
            .0
            .run(|(connection, _)| Ok(connection.execute_batch("COMMIT")?))
            .await?;
        self.0.close().await;
        committed
    }
}
