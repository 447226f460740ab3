//! Values in the text form in which they are stored.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};

/// Returns the JSON of plain data, which always has one.
pub(super) fn json<T: serde::Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Returns a name as it is stored.
pub(super) fn word<T: serde::Serialize>(name: T) -> String {
    json(&name).trim_matches('"').to_owned()
}

pub(super) fn of_word<T: serde::de::DeserializeOwned>(word: &str) -> Option<T> {
    serde_json::from_value(word.into()).ok()
}

pub(super) struct OfJson<T>(pub(super) T);

impl<T: serde::de::DeserializeOwned> FromSql for OfJson<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        serde_json::from_str(value.as_str()?)
            .map(Self)
            .map_err(FromSqlError::other)
    }
}
