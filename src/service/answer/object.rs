//! A JSON object written field by field, straight into a body. Used for objects that a page has a
//! hundred of: a general serializer would spend most of the time looking for characters to escape
//! in keys, ids and times, which have none.

use jiff::Timestamp;
use serde::Serialize;

use crate::api::model::time;

/// The JSON is complete once `end` was called.
pub(super) struct Object<'a> {
    json: &'a mut Vec<u8>,
    is_empty: bool,
}

impl<'a> Object<'a> {
    pub(super) fn begin(json: &'a mut Vec<u8>) -> Self {
        json.push(b'{');
        Self {
            json,
            is_empty: true,
        }
    }

    pub(super) fn end(self) {
        self.json.push(b'}');
    }

    pub(super) fn value(
        &mut self,
        key: &'static str,
        value: &(impl Serialize + ?Sized),
    ) -> serde_json::Result<()> {
        self.key(key);
        serde_json::to_writer(&mut *self.json, value)
    }

    /// Writes an id, which is a string of digits in JSON.
    pub(super) fn id(&mut self, key: &'static str, id: i64) -> serde_json::Result<()> {
        self.quoted(key, |json| serde_json::to_writer(json, &id))
    }

    pub(super) fn iso(&mut self, key: &'static str, time: Timestamp) -> serde_json::Result<()> {
        self.quoted(key, |json| {
            time::write_iso(time, json);
            Ok(())
        })
    }

    pub(super) fn twice(&mut self, keys: [&'static str; 2], value: &str) -> serde_json::Result<()> {
        let [first, second] = keys;
        self.key(first);
        let start = self.json.len();
        serde_json::to_writer(&mut *self.json, value)?;
        let written = start..self.json.len();
        self.key(second);
        self.json.extend_from_within(written);
        Ok(())
    }

    fn quoted(
        &mut self,
        key: &'static str,
        write: impl FnOnce(&mut Vec<u8>) -> serde_json::Result<()>,
    ) -> serde_json::Result<()> {
        self.key(key);
        self.json.push(b'"');
        write(self.json)?;
        self.json.push(b'"');
        Ok(())
    }

    /// `key` must not contain characters that have to be escaped.
    fn key(&mut self, key: &'static str) {
        self.json
            .extend_from_slice(if self.is_empty { b"\"" } else { b",\"" });
        self.json.extend_from_slice(key.as_bytes());
        self.json.extend_from_slice(b"\":");
        self.is_empty = false;
    }
}
