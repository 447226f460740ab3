//! Paths of this machine as text: for the screen, and for the journal, which must restore names
//! that are not text, too.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::api::text::visible_local;

/// Returns the last part, safe to show.
pub(super) fn name(local: &Path) -> String {
    let name = local.file_name().unwrap_or(local.as_os_str());
    visible_local(name)
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum StoredPath {
    Text(String),
    /// Lowercase hex of its bytes.
    Bytes {
        hex: String,
    },
}

pub(super) fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    let written = match path.to_str() {
        Some(text) => StoredPath::Text(text.to_owned()),
        None => StoredPath::Bytes {
            hex: hex::encode(path.as_os_str().as_encoded_bytes()),
        },
    };
    written.serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
    match StoredPath::deserialize(deserializer)? {
        StoredPath::Text(text) => Ok(text.into()),
        StoredPath::Bytes { hex } => {
            from_hex(&hex).ok_or_else(|| serde::de::Error::custom("this is not a path"))
        }
    }
}

/// The same for a path that may be missing.
pub(super) mod optional {
    use super::{Deserialize, Deserializer, PathBuf, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct Stored(#[serde(with = "super")] PathBuf);

    #[expect(clippy::ref_option, reason = "serde asks for this type")]
    pub(in super::super) fn serialize<S: Serializer>(
        path: &Option<PathBuf>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        path.clone().map(Stored).serialize(serializer)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<PathBuf>, D::Error> {
        Ok(Option::<Stored>::deserialize(deserializer)?.map(|stored| stored.0))
    }
}

#[cfg(unix)]
fn from_hex(text: &str) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt as _;
    Some(std::ffi::OsString::from_vec(hex::decode(text).ok()?).into())
}

/// Only text can be restored safely.
#[cfg(not(unix))]
fn from_hex(text: &str) -> Option<PathBuf> {
    Some(String::from_utf8(hex::decode(text).ok()?).ok()?.into())
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::ffi::OsStrExt as _;

    use super::*;

    #[derive(Serialize, Deserialize)]
    struct Local(
        #[serde(with = "super")] PathBuf,
        #[serde(with = "super::optional")] Option<PathBuf>,
    );

    #[test]
    fn a_name_that_is_no_text_comes_back() {
        for bytes in [b"/tmp/a b.txt".as_slice(), b"/tmp/\xff\xfe.bin"] {
            let path = PathBuf::from(std::ffi::OsStr::from_bytes(bytes));
            for second in [None, Some(path.clone())] {
                let text = serde_json::to_string(&Local(path.clone(), second.clone())).unwrap();
                let read: Local = serde_json::from_str(&text).unwrap();
                assert_eq!((read.0, read.1), (path.clone(), second), "{text}");
            }
        }
    }
}
