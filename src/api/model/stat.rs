//! The answer of `GET /files/stat/{path}`: a file or a folder (`contract.md#endpoints`).

use serde::{Deserialize, Serialize};

use super::file::File;
use super::folder::Folder;

/// The file or folder at a path.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct Stat {
    /// The file, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<File>,
    /// The folder, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<Folder>,
}
