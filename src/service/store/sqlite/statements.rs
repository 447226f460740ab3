//! How statements are carried out: each is prepared once for a connection. `?1` is the first of its parameters.

use rusqlite::types::FromSql;
use rusqlite::{Connection, OptionalExtension as _, Params, Result, Row};

/// Gives how many rows were changed.
pub(in crate::service::store) fn execute(
    connection: &Connection,
    statement: &str,
    parameters: impl Params,
) -> Result<usize> {
    connection.prepare_cached(statement)?.execute(parameters)
}

/// The row, if there is one; there must not be more.
pub(in crate::service::store) fn first<T>(
    connection: &Connection,
    query: &str,
    parameters: impl Params,
    read: impl FnOnce(&Row<'_>) -> Result<T>,
) -> Result<Option<T>> {
    connection.prepare_cached(query)?.query_one(parameters, read).optional()
}

pub(in crate::service::store) fn all<T>(
    connection: &Connection,
    query: &str,
    parameters: impl Params,
    read: impl FnMut(&Row<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    connection.prepare_cached(query)?.query_map(parameters, read)?.collect()
}

/// The first value of the one row.
pub(in crate::service::store) fn value<T: FromSql>(
    connection: &Connection,
    query: &str,
    parameters: impl Params,
) -> Result<T> {
    connection.prepare_cached(query)?.query_one(parameters, |row| row.get(0))
}
