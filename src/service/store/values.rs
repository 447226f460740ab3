//! How times and numbers are stored: as 64-bit integers, times as epoch milliseconds.

use jiff::Timestamp;
use serde::de::{Deserialize as _, Deserializer, Error as _};
use sqlx::Row as _;
use sqlx::sqlite::SqliteRow;

pub(super) fn millis(time: Timestamp) -> i64 {
    time.as_millisecond()
}

/// The largest number that fits, for what is above it.
pub(super) fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(super) fn time(millis: i64) -> Result<Timestamp, sqlx::Error> {
    Timestamp::from_millisecond(millis).map_err(|error| sqlx::Error::Decode(Box::new(error)))
}

pub(super) fn number<T: TryFrom<i64>>(integer: i64) -> Result<T, sqlx::Error>
where
    T::Error: std::error::Error + Send + Sync + 'static,
{
    T::try_from(integer).map_err(|error| sqlx::Error::Decode(Box::new(error)))
}

/// What `read` makes of a column that may be NULL.
pub(super) fn optional<T>(
    row: &SqliteRow,
    column: &str,
    read: fn(i64) -> Result<T, sqlx::Error>,
) -> Result<Option<T>, sqlx::Error> {
    row.try_get::<Option<i64>, _>(column)?.map(read).transpose()
}

/// `#[serde(deserialize_with)]` for a time.
pub(super) fn time_field<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Timestamp, D::Error> {
    Timestamp::from_millisecond(i64::deserialize(deserializer)?).map_err(D::Error::custom)
}

/// `#[serde(deserialize_with)]` for a time that may be NULL.
pub(super) fn optional_time_field<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Timestamp>, D::Error> {
    let millis = Option::<i64>::deserialize(deserializer)?;
    millis.map(Timestamp::from_millisecond).transpose().map_err(D::Error::custom)
}

/// `#[serde(deserialize_with)]` for what is true or not, which SQLite keeps as a number.
pub(super) fn flag_field<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    i64::deserialize(deserializer).map(|number| number != 0)
}
