//! The answer of `GET /files/stat/{path}`: one of the two (`contract.md#endpoints`).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::file::File;
use super::folder::Folder;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Stat {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<File>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<Folder>,
}
