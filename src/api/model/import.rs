//! The body of an import from an address (`contract.md#imports`).

use serde::{Deserialize, Serialize};

use super::upload::UploadOptions;
use crate::api::ids::FolderId;

/// Body of `POST /files/import-from-url/async`. The folder is given by id or by path, exactly one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ImportRequest {
    /// The address to fetch.
    pub url: String,
    /// The name of the new file. Absent: the name comes from the address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The target folder, by id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder_id: Option<FolderId>,
    /// The target folder, by path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder_path: Option<String>,
    /// The options of the new file.
    #[serde(flatten)]
    pub options: UploadOptions,
}

impl ImportRequest {
    /// Creates a request for the file at an address. Set exactly one of `folder_id` and
    /// `folder_path` as well.
    pub fn new(url: impl Into<String>, options: UploadOptions) -> Self {
        Self {
            url: url.into(),
            name: None,
            folder_id: None,
            folder_path: None,
            options,
        }
    }
}
