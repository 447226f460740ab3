//! A query that is put together of words and values.

use std::fmt::{Display, Write as _};

use rusqlite::types::Value;

#[derive(Debug, Default)]
pub(in crate::service::store) struct SearchQuery {
    pub(in crate::service::store) sql: String,
    pub(in crate::service::store) values: Vec<Value>,
}

impl SearchQuery {
    pub(in crate::service::store) fn push(&mut self, words: impl Display) -> &mut Self {
        // Text takes whatever is written to it.
        let _ = write!(self.sql, "{words}");
        self
    }

    pub(in crate::service::store) fn push_value(&mut self, value: impl Into<Value>) -> &mut Self {
        self.values.push(value.into());
        let place = self.values.len();
        self.push(format_args!("?{place}"))
    }
}
