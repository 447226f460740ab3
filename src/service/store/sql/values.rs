//! Values on their way to and from a database: numbers are 64-bit integers, times epoch milliseconds.

use std::io;
use std::sync::Arc;

use jiff::Timestamp;

use crate::service::store::error::{DatabaseFailure, StoreError};
use crate::service::store::records::{FileKey, FolderKey};

/// A parameter of a statement, or what a column holds.
#[derive(Debug, Clone, Copy)]
pub(in crate::service::store) enum SqlValue<'a> {
    Null,
    Number(i64),
    /// Of a dialect that tells it from a number.
    Flag(bool),
    Text(&'a str),
    Bytes(&'a [u8]),
}

/// The parameters of a statement.
macro_rules! values {
    ($($value:expr),* $(,)?) => {
        &[$(SqlValue::from($value)),*]
    };
}
pub(super) use values;

/// Makes a parameter of each type: what it is to the database, and how.
macro_rules! parameters {
    ($($variant:ident($value:ident: $type:ty) = $stored:expr;)+) => {$(
        impl<'a> From<$type> for SqlValue<'a> {
            fn from($value: $type) -> Self {
                Self::$variant($stored)
            }
        }
    )+};
}

parameters! {
    Number(number: i64) = number;
    Number(number: u32) = number.into();
    // The largest number that fits, for what is above it.
    Number(number: u64) = i64::try_from(number).unwrap_or(i64::MAX);
    Number(time: Timestamp) = time.as_millisecond();
    Number(key: FileKey) = key.0;
    Number(key: FolderKey) = key.0;
    Flag(flag: bool) = flag;
    Text(text: &'a str) = text;
    Text(text: &'a String) = text;
    Bytes(bytes: &'a [u8]) = bytes;
}

impl<'a, T: Into<SqlValue<'a>>> From<Option<T>> for SqlValue<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// A type that a column can be read as.
pub(in crate::service::store) trait ColumnValue: Sized {
    /// None for a value that cannot be one.
    fn from_value(value: SqlValue<'_>) -> Option<Self>;
}

/// Makes each type readable: what the database has, and how it is read.
macro_rules! stored {
    ($($type:ty: $value:pat => $read:expr;)+) => {$(
        impl ColumnValue for $type {
            fn from_value(value: SqlValue<'_>) -> Option<Self> {
                if let $value = value { $read } else { None }
            }
        }
    )+};
}

stored! {
    i64: SqlValue::Number(number) => Some(number);
    u32: SqlValue::Number(number) => number.try_into().ok();
    u64: SqlValue::Number(number) => number.try_into().ok();
    usize: SqlValue::Number(number) => number.try_into().ok();
    Timestamp: SqlValue::Number(millis) => Self::from_millisecond(millis).ok();
    FileKey: SqlValue::Number(key) => Some(Self(key));
    FolderKey: SqlValue::Number(key) => Some(Self(key));
    String: SqlValue::Text(text) => Some(text.to_owned());
    Vec<u8>: SqlValue::Bytes(bytes) => Some(bytes.to_vec());
}

impl ColumnValue for bool {
    fn from_value(value: SqlValue<'_>) -> Option<Self> {
        match value {
            SqlValue::Flag(flag) => Some(flag),
            SqlValue::Number(number) => Some(number != 0),
            _ => None,
        }
    }
}

impl<T: ColumnValue> ColumnValue for Option<T> {
    fn from_value(value: SqlValue<'_>) -> Option<Self> {
        if let SqlValue::Null = value { Some(None) } else { T::from_value(value).map(Some) }
    }
}

/// What a column says cannot be what it should be.
pub(super) fn unreadable() -> StoreError {
    let cause = io::Error::new(io::ErrorKind::InvalidData, "a column holds a value that cannot be its own");
    StoreError::Database(DatabaseFailure::Other, Arc::new(cause))
}
