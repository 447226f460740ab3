//! How statements are carried out: each is prepared once for a connection. `?1` is the first of its parameters.

use rusqlite::types::FromSql;
use rusqlite::{Connection, OptionalExtension as _, Params, Result, Row};

/// Gives how many rows were changed.
pub(super) fn execute(connection: &Connection, statement: &str, parameters: impl Params) -> Result<usize> {
    connection.prepare_cached(statement)?.execute(parameters)
}

/// The row, if there is one; there must not be more.
pub(super) fn first<T>(
    connection: &Connection,
    query: &str,
    parameters: impl Params,
    read: impl FnOnce(&Row<'_>) -> Result<T>,
) -> Result<Option<T>> {
    connection.prepare_cached(query)?.query_one(parameters, read).optional()
}

pub(super) fn all<T>(
    connection: &Connection,
    query: &str,
    parameters: impl Params,
    read: impl FnMut(&Row<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    connection.prepare_cached(query)?.query_map(parameters, read)?.collect()
}

/// The first value of the one row.
pub(super) fn value<T: FromSql>(connection: &Connection, query: &str, parameters: impl Params) -> Result<T> {
    connection.prepare_cached(query)?.query_one(parameters, |row| row.get(0))
}
