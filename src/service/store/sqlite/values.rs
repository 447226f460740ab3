//! How times and numbers are stored: as 64-bit integers, times as epoch milliseconds.

use std::error::Error;

use jiff::Timestamp;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, Type, ValueRef};
use rusqlite::{Row, RowIndex};

pub(in crate::service::store) fn millis(time: Timestamp) -> i64 {
    time.as_millisecond()
}

/// The largest number that fits, for what is above it.
pub(in crate::service::store) fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A time as a column has it.
pub(in crate::service::store) struct StoredTime(pub(in crate::service::store) Timestamp);

impl FromSql for StoredTime {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let time = Timestamp::from_millisecond(value.as_i64()?);
        time.map(Self).map_err(|error| FromSqlError::Other(Box::new(error)))
    }
}

pub(in crate::service::store) fn time(row: &Row<'_>, column: impl RowIndex) -> rusqlite::Result<Timestamp> {
    row.get(column).map(|StoredTime(time)| time)
}

pub(in crate::service::store) fn optional_time(
    row: &Row<'_>,
    column: impl RowIndex,
) -> rusqlite::Result<Option<Timestamp>> {
    Ok(row.get::<_, Option<StoredTime>>(column)?.map(|StoredTime(time)| time))
}

pub(in crate::service::store) fn size(row: &Row<'_>, column: impl RowIndex) -> rusqlite::Result<u64> {
    let size: i64 = row.get(column)?;
    u64::try_from(size).map_err(unreadable)
}

/// What a column says cannot be what it should be.
pub(in crate::service::store) fn unreadable(error: impl Error + Send + Sync + 'static) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, Type::Null, Box::new(error))
}
