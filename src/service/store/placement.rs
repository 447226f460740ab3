//! The destination of a file or folder. Rows of tasks hold placements as JSON, so their JSON form
//! is fixed.

use serde::{Deserialize, Serialize};

use super::records::FolderKey;
use crate::service::domain::names::FolderPath;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Placement {
    #[serde(rename = "Id")]
    Folder(FolderKey),
    /// May be the root.
    Path(FolderPath),
}
