//! A query that is put together of words and values.

use std::fmt::{Display, Write as _};

use rusqlite::types::Value;

#[derive(Debug, Default)]
pub(super) struct SearchQuery {
    pub(super) sql: String,
    pub(super) values: Vec<Value>,
}

impl SearchQuery {
    pub(super) fn push(&mut self, words: impl Display) -> &mut Self {
        // Text takes whatever is written to it.
        let _ = write!(self.sql, "{words}");
        self
    }

    pub(super) fn push_value(&mut self, value: impl Into<Value>) -> &mut Self {
        self.values.push(value.into());
        let place = self.values.len();
        self.push(format_args!("?{place}"))
    }
}
