//! Where something is put or made.

use super::records::FolderKey;
use crate::service::names::FolderPath;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Placement {
    Folder(FolderKey),
    /// The root too.
    Path(FolderPath),
}
