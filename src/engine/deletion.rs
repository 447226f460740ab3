//! A file or a folder that was deleted from here, as the journal knows it: the one form of receipts.

use jiff::{SignedDuration, Timestamp};
use serde::{Serialize, Serializer};

use super::item::Target;
use crate::api::ids::{FileId, FolderId};

/// Permanent deletion ends within seven days (`contract.md#deletion`).
const GONE_WITHIN: SignedDuration = SignedDuration::from_hours(7 * 24);

/// What the service accepted to delete. As JSON, with `goneBy`, the proof of a permanent deletion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Deletion {
    #[serde(rename = "id", serialize_with = "id")]
    pub target: Target,
    pub path: String,
    pub deleted_at: Timestamp,
    /// Of a permanent deletion: by then content and metadata are gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gone_by: Option<Timestamp>,
    /// Of a folder.
    #[serde(flatten)]
    pub contents: Option<DeletedContents>,
}

/// What is known of the files that went with a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct DeletedContents {
    /// Those that are known by their ids and not deleted permanently.
    pub files: usize,
    /// Why there may be more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
}

impl Deletion {
    /// Of a file that was deleted at this time, permanently or not.
    pub fn new(file: &FileId, path: &str, at: Timestamp, permanent: bool) -> Self {
        let at = kept(at);
        let gone_by = permanent.then(|| at.saturating_add(GONE_WITHIN).unwrap_or(at));
        let target = Target::File(file.clone());
        Self { target, path: path.to_owned(), deleted_at: at, gone_by, contents: None }
    }

    /// Of a folder, whose path may be written with a slash at its end.
    pub fn of_folder(folder: &FolderId, path: &str, at: Timestamp, contents: DeletedContents) -> Self {
        let (target, path) = (Target::Folder(folder.clone()), path.trim_end_matches('/').to_owned());
        Self { target, path, deleted_at: kept(at), gone_by: None, contents: Some(contents) }
    }

    /// Why not all that was deleted is known.
    pub fn missing(&self) -> Option<&str> {
        self.contents.as_ref()?.missing.as_deref()
    }
}

/// In milliseconds, as it is written down.
fn kept(at: Timestamp) -> Timestamp {
    Timestamp::from_millisecond(at.as_millisecond()).unwrap_or(at)
}

fn id<S: Serializer>(target: &Target, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(target.id())
}
