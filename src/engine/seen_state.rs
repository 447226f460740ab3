//! The state in which something was shown before it is replaced or deleted, which tells whether it
//! is still the same (`guarantees.md#what-was-compared-is-looked-at-again`).

use std::fs::Metadata;
use std::path::Path;

use fast_md5::Md5;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::api::model::File;
use crate::api::{Error, Kind, NextStep};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocalState {
    /// In bytes.
    pub size: u64,
    /// The time of the last write, where the disk records it.
    pub modified: Option<Timestamp>,
    /// The time of the last change of any kind, even of its place, where the system records it:
    /// nobody can set it.
    #[serde(default)]
    pub changed: Option<Timestamp>,
}

impl LocalState {
    pub fn of(metadata: &Metadata) -> Self {
        let modified = metadata
            .modified()
            .ok()
            .and_then(|time| time.try_into().ok());
        Self {
            size: metadata.len(),
            modified,
            changed: changed(metadata),
        }
    }

    /// Returns `true` if a regular file in this state is at the path.
    pub fn is_at(self, path: &Path) -> bool {
        path.symlink_metadata()
            .is_ok_and(|metadata| metadata.is_file() && Self::of(&metadata) == self)
    }
}

#[cfg(unix)]
fn changed(metadata: &Metadata) -> Option<Timestamp> {
    use std::os::unix::fs::MetadataExt as _;
    Timestamp::new(metadata.ctime(), i32::try_from(metadata.ctime_nsec()).ok()?).ok()
}

#[cfg(not(unix))]
fn changed(_: &Metadata) -> Option<Timestamp> {
    None
}

/// Returns the state of a file of the account: a checksum over its id, path, time, size, content,
/// and access level.
pub fn file_state(file: &File) -> String {
    let File {
        id,
        path,
        updated_at,
        size,
        file_md5,
        access,
        ..
    } = file;
    sum([format!(
        "{id}\n{path:?}\n{updated_at:?}\n{size:?}\n{file_md5:?}\n{access:?}"
    )])
}

/// Returns the state of a folder of the account: a checksum over all file states and folder ids in
/// it.
pub fn folder_state(mut within: Vec<String>) -> String {
    within.sort_unstable();
    sum(within)
}

fn sum(parts: impl IntoIterator<Item = String>) -> String {
    let mut hash = Md5::new();
    for part in parts {
        hash.update(part.as_bytes());
        hash.update(b"\0");
    }
    hex::encode(hash.finalize())
}

/// Returns the error of a change to something that is no longer in the state in which it was shown.
pub fn changed_since(path: &str) -> Error {
    Error::new(
        Kind::Conflict,
        format!("{path} has changed since it was looked at"),
    )
    .then(NextStep::LookAgain)
}
