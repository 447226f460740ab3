//! A file that was deleted from here, as the journal knows it: the one form of receipts.

use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

use crate::api::ids::FileId;

/// Permanent deletion ends within seven days (`service-seed.md` §3.2).
const GONE_WITHIN: SignedDuration = SignedDuration::from_hours(7 * 24);

/// A file that the service accepted to delete. As JSON, with `goneBy`, the proof of a permanent deletion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Deletion {
    #[serde(rename = "id")]
    pub file: FileId,
    pub path: String,
    pub deleted_at: Timestamp,
    /// Of a permanent deletion: by then content and metadata are gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gone_by: Option<Timestamp>,
}

impl Deletion {
    /// Of a file that was deleted at this time, for good or not. Kept in milliseconds, as it is written down.
    pub fn new(file: &FileId, path: &str, at: Timestamp, permanent: bool) -> Self {
        let at = Timestamp::from_millisecond(at.as_millisecond()).unwrap_or(at);
        let gone_by = permanent.then(|| at.saturating_add(GONE_WITHIN).unwrap_or(at));
        Self { file: file.clone(), path: path.to_owned(), deleted_at: at, gone_by }
    }
}
