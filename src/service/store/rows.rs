//! Rows as they leave SQLite: as one text, in which control characters, which no name has, separate rows and fields.
//! The way from the connection's thread costs more than the rows, and JSON more than what is in them.

use std::iter::Peekable;
use std::str::FromStr;

use memchr::{Memchr, memchr_iter};
use serde::de::value::Error;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error as _, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

/// Between fields: `concat_ws(char(31), …)`. What may be NULL is written `COALESCE(…, '')`, and is read as none.
const FIELD: u8 = 0x1f;
/// Between rows: `char(30)`.
const ROW: u8 = 0x1e;

/// A query of one column `record`, a row's text, as a query of one text with all of them, in its order.
pub(super) fn all_of(query: &str) -> String {
    format!("SELECT COALESCE(group_concat(record, char(30)), '') FROM ({query})")
}

/// Reads a row: its fields in the order of those of `T`, and of the structs in it.
pub(super) fn read<'a, T: Deserialize<'a>>(row: &'a str) -> Result<T, sqlx::Error> {
    let mut fields = Fields(RowParts::of(row, FIELD).peekable());
    let read = T::deserialize(&mut fields).map_err(|error| sqlx::Error::Decode(Box::new(error)))?;
    match fields.0.next() {
        None => Ok(read),
        Some(_) => Err(sqlx::Error::Decode("a row has more fields than are known".into())),
    }
}

/// The texts of the rows that `all_of` gave; each is for `read`.
pub(super) fn each(rows: &str) -> impl Iterator<Item = &str> {
    // No row is empty: each begins with an id.
    RowParts::of(rows, ROW).filter(|row| !row.is_empty())
}

/// The parts between marks of one byte. `str::split` searches for each mark anew, which takes longer than short parts.
struct RowParts<'a> {
    text: &'a str,
    marks: Memchr<'a>,
    /// Where the next part starts; none after the last one.
    start: Option<usize>,
}

impl<'a> RowParts<'a> {
    fn of(text: &'a str, mark: u8) -> Self {
        Self { text, marks: memchr_iter(mark, text.as_bytes()), start: Some(0) }
    }
}

impl<'a> Iterator for RowParts<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let start = self.start?;
        let end = self.marks.next();
        self.start = end.map(|mark| mark + 1);
        self.text.get(start..end.unwrap_or(self.text.len()))
    }
}

/// Gives its fields one after the other to whatever is read.
struct Fields<'a>(Peekable<RowParts<'a>>);

impl<'a> Fields<'a> {
    fn text(&mut self) -> Result<&'a str, Error> {
        self.0.next().ok_or_else(|| Error::custom("a row lacks a field"))
    }

    fn number<T: FromStr<Err: std::fmt::Display>>(&mut self) -> Result<T, Error> {
        self.text()?.parse().map_err(Error::custom)
    }
}

impl<'de> Deserializer<'de> for &mut Fields<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_borrowed_str(self.text()?)
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_i64(self.number()?)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_u64(self.number()?)
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_u32(self.number()?)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0.next_if(|field| field.is_empty()) {
            Some(_) => visitor.visit_none(),
            None => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_seq(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i128 u8 u16 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct
        map enum identifier ignored_any
    }
}

impl<'de> SeqAccess<'de> for &mut Fields<'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        seed.deserialize(&mut **self).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use rstest::rstest;
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Outer<'a> {
        id: i64,
        #[serde(borrow)]
        name: Cow<'a, str>,
        inner: Inner,
        last: String,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct Inner {
        size: u64,
        width: Option<u32>,
    }

    fn outer(width: Option<u32>) -> Outer<'static> {
        Outer { id: 7, name: "a \"b\"\n".into(), inner: Inner { size: 5, width }, last: String::new() }
    }

    #[rstest]
    #[case::whole("7\u{1f}a \"b\"\n\u{1f}5\u{1f}3\u{1f}", Some(outer(Some(3))))]
    #[case::without_what_may_be_absent("7\u{1f}a \"b\"\n\u{1f}5\u{1f}\u{1f}", Some(outer(None)))]
    #[case::too_short("7\u{1f}a\u{1f}5\u{1f}3", None)]
    #[case::too_long("7\u{1f}a\u{1f}5\u{1f}3\u{1f}\u{1f}", None)]
    #[case::no_number("x\u{1f}a\u{1f}5\u{1f}3\u{1f}", None)]
    #[case::empty("", None)]
    fn a_row_is_read_whole_or_not_at_all(#[case] row: &str, #[case] expected: Option<Outer<'_>>) {
        assert_eq!(read::<Outer<'_>>(row).ok(), expected);
    }

    #[rstest]
    #[case::none("", vec![])]
    #[case::one("1", vec!["1"])]
    #[case::several("1\u{1f}a\u{1e}2\u{1f}\u{1e}3", vec!["1\u{1f}a", "2\u{1f}", "3"])]
    fn rows_come_one_by_one(#[case] rows: &str, #[case] expected: Vec<&str>) {
        assert_eq!(each(rows).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn texts_are_borrowed_from_the_row() {
        let row = "7\u{1f}name\u{1f}5\u{1f}\u{1f}";
        assert!(matches!(read::<Outer<'_>>(row).unwrap().name, Cow::Borrowed("name")));
    }
}
