//! The tables of the database, on a connection or in its transaction; what the rules call is in a file for each subject.
//! Each statement is prepared once for a connection; `?1` is the first of its parameters.

use rusqlite::types::FromSql;
use rusqlite::{Connection, OptionalExtension as _, Params, Result, Row};

use crate::service::store::error::StoreError;

pub(crate) struct SqliteTables<'a>(pub(super) &'a Connection);

impl SqliteTables<'_> {
    /// Gives how many rows were changed.
    pub(super) fn execute(&self, statement: &str, parameters: impl Params) -> Result<usize, StoreError> {
        Ok(self.0.prepare_cached(statement)?.execute(parameters)?)
    }

    /// The row, if there is one; there must not be more.
    pub(super) fn first<T>(
        &self,
        query: &str,
        parameters: impl Params,
        read: impl FnOnce(&Row<'_>) -> Result<T>,
    ) -> Result<Option<T>, StoreError> {
        Ok(self.0.prepare_cached(query)?.query_one(parameters, read).optional()?)
    }

    pub(super) fn all<T>(
        &self,
        query: &str,
        parameters: impl Params,
        read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        Ok(self.0.prepare_cached(query)?.query_map(parameters, read)?.collect::<Result<_>>()?)
    }

    /// The first value of the one row.
    pub(super) fn value<T: FromSql>(&self, query: &str, parameters: impl Params) -> Result<T, StoreError> {
        Ok(self.0.prepare_cached(query)?.query_one(parameters, |row| row.get(0))?)
    }
}
