//! The tables of the database, on a connection or in its transaction. Most of what the rules call
//! is in `sql`. Each statement is prepared once per connection; `?1` is its first parameter.

use rusqlite::types::FromSql;
use rusqlite::{Connection, OptionalExtension as _, Params, Result, Row, params_from_iter};

use crate::service::store::error::StoreError;
use crate::service::store::sql::{Dialect, SqlRow, SqlValue, Tables};

pub(crate) struct SqliteTables<'a>(pub(super) &'a Connection);

impl SqliteTables<'_> {
    pub(super) fn execute(
        &self,
        statement: &str,
        parameters: impl Params,
    ) -> Result<usize, StoreError> {
        Ok(self.0.prepare_cached(statement)?.execute(parameters)?)
    }

    pub(super) fn first<T>(
        &self,
        query: &str,
        parameters: impl Params,
        read: impl FnOnce(&Row<'_>) -> Result<T>,
    ) -> Result<Option<T>, StoreError> {
        Ok(self
            .0
            .prepare_cached(query)?
            .query_one(parameters, read)
            .optional()?)
    }

    pub(super) fn all<T>(
        &self,
        query: &str,
        parameters: impl Params,
        read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        Ok(self
            .0
            .prepare_cached(query)?
            .query_map(parameters, read)?
            .collect::<Result<_>>()?)
    }

    pub(super) fn value<T: FromSql>(
        &self,
        query: &str,
        parameters: impl Params,
    ) -> Result<T, StoreError> {
        Ok(self
            .0
            .prepare_cached(query)?
            .query_one(parameters, |row| row.get(0))?)
    }
}

impl Tables for SqliteTables<'_> {
    fn dialect(&self) -> &'static Dialect {
        &Dialect {
            next_id: "UPDATE id_sequence SET next = next + 1 RETURNING next - 1",
            raise_ids: "UPDATE id_sequence SET next = MAX(next, ?1)",
            task_position: "rowid",
            unfinished_tasks: "tasks INDEXED BY tasks_by_turn",
            notify: None,
        }
    }

    fn execute(&self, statement: &str, parameters: &[SqlValue<'_>]) -> Result<usize, StoreError> {
        self.execute(statement, params_from_iter(parameters))
    }

    fn each(
        &self,
        query: &str,
        parameters: &[SqlValue<'_>],
        see: &mut dyn FnMut(&dyn SqlRow) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut statement = self.0.prepare_cached(query)?;
        let mut rows = statement.query(params_from_iter(parameters))?;
        while let Some(row) = rows.next()? {
            see(row)?;
        }
        Ok(())
    }
}
