//! The body of a new folder as the OpenAPI document shows it: with both names of the parent's path,
//! of which one is read (`contract.md#folders`).
#![expect(dead_code, reason = "the fields are there to be described")]

use serde::Deserialize;
use utoipa::ToSchema;

use crate::api::model::CreateFolder;

#[derive(Deserialize, ToSchema)]
pub(super) struct CreateFolderBody {
    #[serde(flatten)]
    folder: CreateFolder,
    /// The same as `parentPath`.
    #[serde(rename = "parentFolderPath")]
    parent_folder_path: Option<String>,
}
