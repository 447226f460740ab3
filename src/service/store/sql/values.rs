//! Conversion of values to and from a database: numbers are 64-bit integers, times are epoch
//! milliseconds.

use std::io;
use std::sync::Arc;

use jiff::Timestamp;

use crate::service::store::error::{DatabaseFailure, StoreError};
use crate::service::store::records::{FileKey, FolderKey};

/// A parameter of a statement or the value of a column.
#[derive(Debug, Clone, Copy)]
pub(in crate::service::store) enum SqlValue<'a> {
    Null,
    Number(i64),
    /// Only in a dialect that has a type for booleans.
    Flag(bool),
    Text(&'a str),
    Bytes(&'a [u8]),
}

macro_rules! values {
    ($($value:expr),* $(,)?) => {
        &[$(SqlValue::from($value)),*]
    };
}
pub(super) use values;

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
    // Larger numbers become the largest that fits.
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

pub(in crate::service::store) trait ColumnValue: Sized {
    fn from_value(value: SqlValue<'_>) -> Option<Self>;
}

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
        if let SqlValue::Null = value {
            Some(None)
        } else {
            T::from_value(value).map(Some)
        }
    }
}

pub(super) fn unreadable() -> StoreError {
    let cause = io::Error::new(
        io::ErrorKind::InvalidData,
        "a column holds a value that cannot be its own",
    );
    StoreError::Database(DatabaseFailure::Other, Arc::new(cause))
}
