//! How times, numbers and ids are stored: as 64-bit integers, times as epoch milliseconds.

use std::error::Error;

use jiff::Timestamp;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, Type, ValueRef};
use rusqlite::{Row, RowIndex, ToSql};

use crate::service::store::records::{FileKey, FolderKey};

pub(super) fn millis(time: Timestamp) -> i64 {
    time.as_millisecond()
}

/// The largest number that fits, for what is above it.
pub(super) fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A time as a column has it.
pub(super) struct StoredTime(pub(super) Timestamp);

impl FromSql for StoredTime {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let time = Timestamp::from_millisecond(value.as_i64()?);
        time.map(Self).map_err(|error| FromSqlError::Other(Box::new(error)))
    }
}

pub(super) fn time(row: &Row<'_>, column: impl RowIndex) -> rusqlite::Result<Timestamp> {
    row.get(column).map(|StoredTime(time)| time)
}

pub(super) fn optional_time(row: &Row<'_>, column: impl RowIndex) -> rusqlite::Result<Option<Timestamp>> {
    Ok(row.get::<_, Option<StoredTime>>(column)?.map(|StoredTime(time)| time))
}

pub(super) fn size(row: &Row<'_>, column: impl RowIndex) -> rusqlite::Result<u64> {
    let size: i64 = row.get(column)?;
    u64::try_from(size).map_err(unreadable)
}

/// What a column says cannot be what it should be.
pub(super) fn unreadable(error: impl Error + Send + Sync + 'static) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, Type::Null, Box::new(error))
}

macro_rules! stored_keys {
    ($($key:ident),+) => {$(
        impl FromSql for $key {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                i64::column_result(value).map(Self)
            }
        }

        impl ToSql for $key {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                self.0.to_sql()
            }
        }
    )+};
}
stored_keys!(FileKey, FolderKey);
