//! Where something is put or made. Rows of tasks hold placements as JSON, so the form of that is fixed.

use serde::{Deserialize, Serialize};

use super::records::FolderKey;
use crate::service::domain::names::FolderPath;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Placement {
    #[serde(rename = "Id")]
    Folder(FolderKey),
    /// The root too.
    Path(FolderPath),
}
