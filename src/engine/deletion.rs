//! A file that was deleted from here, as the journal knows it.

use jiff::Timestamp;
use serde::Serialize;

use crate::api::ids::FileId;

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
