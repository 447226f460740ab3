//! How times, numbers and ids are stored: as 64-bit integers, times as epoch milliseconds.

use std::error::Error;
use std::sync::Arc;

use jiff::Timestamp;
use tokio_postgres::Row;

use crate::service::store::error::{DatabaseFailure, StoreError};

pub(super) fn millis(time: Timestamp) -> i64 {
    time.as_millisecond()
}

/// The largest number that fits, for what is above it.
pub(super) fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(super) fn time(row: &Row, column: usize) -> Result<Timestamp, StoreError> {
    stored_time(row.try_get(column)?)
}

pub(super) fn optional_time(row: &Row, column: usize) -> Result<Option<Timestamp>, StoreError> {
    row.try_get::<_, Option<i64>>(column)?.map(stored_time).transpose()
}

pub(super) fn stored_time(millis: i64) -> Result<Timestamp, StoreError> {
    Timestamp::from_millisecond(millis).map_err(unreadable)
}

/// A number that cannot be negative.
pub(super) fn number<T: TryFrom<i64, Error: Error + Send + Sync + 'static>>(number: i64) -> Result<T, StoreError> {
    T::try_from(number).map_err(unreadable)
}

/// What a column says cannot be what it should be.
pub(super) fn unreadable(error: impl Error + Send + Sync + 'static) -> StoreError {
    StoreError::Database(DatabaseFailure::Other, Arc::new(error))
}
