//! Lenient deserialization: an entry with an unexpected field keeps its other fields. A visitor
//! reads each value directly; an untagged enum would first copy each of the thousands of values in
//! a page.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserializer;
use serde::de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A type that is read from a single value, not a list or object. The methods return `None` unless
/// overridden.
pub(crate) trait Plain: Sized {
    fn of_text(_: Cow<'_, str>) -> Option<Self> {
        None
    }

    fn of_number(_: i128) -> Option<Self> {
        None
    }

    fn of_flag(_: bool) -> Option<Self> {
        None
    }
}

impl Plain for String {
    fn of_text(text: Cow<'_, str>) -> Option<Self> {
        Some(text.into_owned())
    }
}

impl Plain for u32 {
    fn of_number(number: i128) -> Option<Self> {
        number.try_into().ok()
    }
}

impl Plain for u64 {
    fn of_number(number: i128) -> Option<Self> {
        number.try_into().ok()
    }
}

impl Plain for bool {
    fn of_flag(flag: bool) -> Option<Self> {
        Some(flag)
    }
}

/// `#[serde(deserialize_with = "known")]`: the value; `None` for null and for values of another
/// type.
pub(crate) fn known<'de, T: Plain, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    deserializer.deserialize_any(LenientVisitor(PhantomData))
}

/// `#[serde(deserialize_with = "flag")]`: `false` unless the value says otherwise.
pub(super) fn flag<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    Ok(known(deserializer)?.unwrap_or_default())
}

struct LenientVisitor<T>(PhantomData<T>);

impl<'de, T: Plain> Visitor<'de> for LenientVisitor<T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Option<T>, E> {
        Ok(T::of_text(text.into()))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Option<T>, E> {
        Ok(T::of_text(text.into()))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Option<T>, E> {
        Ok(T::of_number(number.into()))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Option<T>, E> {
        Ok(T::of_number(number.into()))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Option<T>, E> {
        Ok(None)
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<Option<T>, E> {
        Ok(T::of_flag(flag))
    }

    fn visit_unit<E: Error>(self) -> Result<Option<T>, E> {
        Ok(None)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Option<T>, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Option<T>, A::Error> {
        while object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use crate::api::model::{File, Folder};

    #[test]
    fn odd_fields_are_left_out_and_the_others_kept() {
        let file: File = serde_json::from_str(
            r#"{"id":"7","name":"logo","extension":7,"archived":null,"size":-1,"width":"wide","createdAt":"soon",
                "access":null,"isUsableInContent":"yes","parentFolderId":null,"path":"/logo.png"}"#,
        )
        .unwrap();
        assert_eq!(
            (file.name.as_deref(), file.path.as_deref()),
            (Some("logo"), Some("/logo.png"))
        );
        assert_eq!(
            (file.archived, file.size, file.width, file.created_at),
            (false, None, None, None)
        );
        assert_eq!(
            (file.extension, file.access, file.parent_folder_id),
            (None, None, None)
        );
        let folder: Folder =
            serde_json::from_str(r#"{"id":"7","name":["a"],"archived":"no"}"#).unwrap();
        assert_eq!((folder.full_name().as_str(), folder.archived), ("7", false));
    }
}
