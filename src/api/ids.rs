//! Identifiers as the service writes them: opaque strings, one type for each kind of thing.
//! Responses usually hold strings of digits, but inputs and some responses hold JSON numbers
//! (`contract.md#conventions`): both are accepted.

use std::borrow::Cow;
use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::api::lenient::{Plain, known};

macro_rules! id_type {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
        #[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Wraps an id exactly as the service wrote it, without validation.
            pub fn new(id: impl Into<String>) -> Self {
                Self(id.into())
            }

            /// Returns the id as the service writes it.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl Plain for $name {
            fn of_text(text: Cow<'_, str>) -> Option<Self> {
                Some(Self(text.into_owned()))
            }

            fn of_number(number: i128) -> Option<Self> {
                i64::try_from(number).ok().map(|number| Self(number.to_string()))
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                known(deserializer)?
                    .ok_or_else(|| D::Error::custom("an id must be a string or a whole number"))
            }
        }
    };
}

id_type!(
    /// The id of a file; digits, but kept as text.
    FileId
);
id_type!(
    /// The id of a folder. The root folder has no id.
    FolderId
);
id_type!(
    /// The id of an import or a folder update. Opaque: it may contain any character
    /// (`contract.md#tasks`).
    TaskId
);

/// Serializes a folder's id as a JSON integer, for the fields that require one; an id that is not a
/// number stays text.
///
/// # Errors
///
/// If the serializer fails.
pub fn as_integer<S: Serializer>(id: &Option<FolderId>, serializer: S) -> Result<S::Ok, S::Error> {
    match id.as_ref().map(|id| (id, id.as_str().parse::<i64>())) {
        Some((_, Ok(number))) => serializer.serialize_i64(number),
        Some((id, Err(_))) => serializer.serialize_str(id.as_str()),
        None => serializer.serialize_none(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_from_strings_and_numbers_and_written_as_strings() {
        let from_number: FolderId = serde_json::from_str("42").unwrap();
        let from_text: FolderId = serde_json::from_str("\"42\"").unwrap();
        assert_eq!(from_number, from_text);
        assert_eq!(serde_json::to_string(&from_number).unwrap(), "\"42\"");
    }
}
