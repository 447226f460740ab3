//! Body of an import from an address (`contract.md#imports`).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::upload::UploadOptions;
use crate::api::ids::FolderId;

/// Body of `POST /files/import-from-url/async`. The folder is given by id or by path, exactly one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportRequest {
    pub url: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder_id: Option<FolderId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder_path: Option<String>,
    #[serde(flatten)]
    pub options: UploadOptions,
}
