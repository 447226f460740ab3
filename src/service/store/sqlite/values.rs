//! Conversion of times, numbers and ids: all are stored as 64-bit integers, times as epoch
//! milliseconds.

use std::error::Error;

use jiff::Timestamp;
use rusqlite::types::{ToSqlOutput, Type, ValueRef};
use rusqlite::{Row, RowIndex, ToSql};

use crate::service::store::error::StoreError;
use crate::service::store::sql::{SqlRow, SqlValue};

impl ToSql for SqlValue<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match *self {
            Self::Null => ValueRef::Null,
            Self::Number(number) => ValueRef::Integer(number),
            Self::Flag(flag) => ValueRef::Integer(flag.into()),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

impl SqlRow for Row<'_> {
    fn value(&self, column: usize) -> Result<SqlValue<'_>, StoreError> {
        Ok(match self.get_ref(column)? {
            ValueRef::Null => SqlValue::Null,
            ValueRef::Blob(bytes) => SqlValue::Bytes(bytes),
            text @ ValueRef::Text(_) => {
                SqlValue::Text(text.as_str().map_err(rusqlite::Error::from)?)
            }
            number => SqlValue::Number(number.as_i64().map_err(rusqlite::Error::from)?),
        })
    }
}

pub(super) fn millis(time: Timestamp) -> i64 {
    time.as_millisecond()
}

/// Larger numbers become the largest that fits.
pub(super) fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(super) fn time(row: &Row<'_>, column: impl RowIndex) -> rusqlite::Result<Timestamp> {
    Timestamp::from_millisecond(row.get(column)?).map_err(unreadable)
}

pub(super) fn optional_time(
    row: &Row<'_>,
    column: impl RowIndex,
) -> rusqlite::Result<Option<Timestamp>> {
    row.get::<_, Option<i64>>(column)?
        .map(Timestamp::from_millisecond)
        .transpose()
        .map_err(unreadable)
}

pub(super) fn size(row: &Row<'_>, column: impl RowIndex) -> rusqlite::Result<u64> {
    let size: i64 = row.get(column)?;
    u64::try_from(size).map_err(unreadable)
}

pub(super) fn unreadable(error: impl Error + Send + Sync + 'static) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, Type::Null, Box::new(error))
}
