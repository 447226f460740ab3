//! The deletion of a file or folder, as the journal records it: the one form of receipts.

use jiff::{SignedDuration, Timestamp};
use serde::{Serialize, Serializer};

use super::item::Target;
use crate::api::ids::{FileId, FolderId};

/// The time within which a permanent deletion ends (`contract.md#deletion`).
const GONE_WITHIN: SignedDuration = SignedDuration::from_hours(7 * 24);

/// A deletion that the service accepted. Its JSON, with `goneBy`, is the proof of a permanent
/// deletion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Deletion {
    #[serde(rename = "id", serialize_with = "id")]
    pub target: Target,
    pub path: String,
    pub deleted_at: Timestamp,
    /// The time by which content and metadata are gone; only of a permanent deletion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gone_by: Option<Timestamp>,
    /// Present for a folder.
    #[serde(flatten)]
    pub contents: Option<DeletedContents>,
}

/// The files that were deleted with a folder, as far as they are known.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct DeletedContents {
    /// The number of those that are known by id and not deleted permanently.
    pub files: usize,
    /// The reason why there may be more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
}

impl Deletion {
    pub fn new(file: &FileId, path: &str, at: Timestamp, permanent: bool) -> Self {
        let at = kept(at);
        let gone_by = permanent.then(|| at.saturating_add(GONE_WITHIN).unwrap_or(at));
        let target = Target::File(file.clone());
        Self {
            target,
            path: path.to_owned(),
            deleted_at: at,
            gone_by,
            contents: None,
        }
    }

    /// Records a folder, whose path may end with a slash.
    pub fn of_folder(
        folder: &FolderId,
        path: &str,
        at: Timestamp,
        contents: DeletedContents,
    ) -> Self {
        let (target, path) = (
            Target::Folder(folder.clone()),
            path.trim_end_matches('/').to_owned(),
        );
        Self {
            target,
            path,
            deleted_at: kept(at),
            gone_by: None,
            contents: Some(contents),
        }
    }

    /// Returns the reason why not everything that was deleted is known.
    pub fn missing(&self) -> Option<&str> {
        self.contents.as_ref()?.missing.as_deref()
    }
}

/// Truncates a time to milliseconds, as it is stored.
fn kept(at: Timestamp) -> Timestamp {
    Timestamp::from_millisecond(at.as_millisecond()).unwrap_or(at)
}

fn id<S: Serializer>(target: &Target, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(target.id())
}
