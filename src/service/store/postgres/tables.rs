//! The tables of the database, on a connection or in its transaction. Most of what the rules call
//! is in `sql`. Each statement is prepared once per connection.

use std::time::Duration;

use deadpool_postgres::StatementCache;
use tokio::runtime::Handle;
use tokio::time::timeout;
use tokio_postgres::types::{FromSqlOwned, ToSql};
use tokio_postgres::{Client, Error, Row};

use super::failure::stalled;
use super::notices::NOTIFY;
use crate::service::store::error::StoreError;
use crate::service::store::sql::{Dialect, SqlRow, SqlValue, Tables};

pub(super) type Parameters<'a> = &'a [&'a (dyn ToSql + Sync)];

/// The time limit for a response. The server ends statements earlier, so a longer wait would be in
/// vain.
pub(super) const ANSWER_TIMEOUT: Duration = Duration::from_secs(20);

/// Must be used on a thread that may block.
pub(crate) struct PostgresTables<'a> {
    pub(super) client: &'a Client,
    pub(super) statements: &'a StatementCache,
    pub(super) runtime: &'a Handle,
}

impl PostgresTables<'_> {
    pub(super) fn execute(
        &self,
        statement: &str,
        parameters: Parameters<'_>,
    ) -> Result<usize, StoreError> {
        let changed = self.wait(async {
            let statement = self.statements.prepare(self.client, statement).await?;
            self.client.execute(&statement, parameters).await
        });
        Ok(usize::try_from(changed?).unwrap_or(usize::MAX))
    }

    pub(super) fn first<T>(
        &self,
        query: &str,
        parameters: Parameters<'_>,
        read: impl FnOnce(&Row) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        let row = self.wait(async {
            let query = self.statements.prepare(self.client, query).await?;
            self.client.query_opt(&query, parameters).await
        });
        row?.as_ref().map(read).transpose()
    }

    pub(super) fn all<T>(
        &self,
        query: &str,
        parameters: Parameters<'_>,
        read: impl FnMut(&Row) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let rows = self.wait(async {
            let query = self.statements.prepare(self.client, query).await?;
            self.client.query(&query, parameters).await
        });
        rows?.iter().map(read).collect()
    }

    pub(super) fn value<T: FromSqlOwned>(
        &self,
        query: &str,
        parameters: Parameters<'_>,
    ) -> Result<T, StoreError> {
        let row = self.wait(async {
            let query = self.statements.prepare(self.client, query).await?;
            self.client.query_one(&query, parameters).await
        });
        Ok(row?.try_get(0)?)
    }

    pub(super) fn wait<T>(
        &self,
        answer: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, StoreError> {
        wait(self.runtime, answer)
    }
}

impl Tables for PostgresTables<'_> {
    fn dialect(&self) -> &'static Dialect {
        &Dialect {
            next_id: "SELECT nextval('ids')",
            raise_ids: "SELECT setval('ids', ?1, FALSE) FROM ids WHERE last_value < ?1",
            task_position: "position",
            unfinished_tasks: "tasks",
            notify: Some(NOTIFY),
        }
    }

    fn execute(&self, statement: &str, parameters: &[SqlValue<'_>]) -> Result<usize, StoreError> {
        self.execute(&numbered(statement), &each(parameters))
    }

    fn each(
        &self,
        query: &str,
        parameters: &[SqlValue<'_>],
        see: &mut dyn FnMut(&dyn SqlRow) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.all(&numbered(query), &each(parameters), |row| see(row))
            .map(drop)
    }
}

pub(super) fn numbered(statement: &str) -> String {
    statement.replace('?', "$")
}

fn each<'a>(parameters: &'a [SqlValue<'_>]) -> Vec<&'a (dyn ToSql + Sync)> {
    parameters.iter().map(|parameter| parameter as _).collect()
}

pub(super) fn wait<T>(
    runtime: &Handle,
    answer: impl Future<Output = Result<T, Error>>,
) -> Result<T, StoreError> {
    let answer = runtime.block_on(async { timeout(ANSWER_TIMEOUT, answer).await });
    Ok(answer.map_err(|_| stalled())??)
}
