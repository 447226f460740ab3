//! Ids of files and folders. They share one sequence, so no id names two things.

use rusqlite::Connection;

use super::statements::value;

/// Takes the next id.
pub(in crate::service::store) fn next_id(connection: &Connection) -> Result<i64, rusqlite::Error> {
    value(connection, "UPDATE id_sequence SET next = next + 1 RETURNING next - 1", [])
}
