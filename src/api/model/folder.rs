//! The folder object, and the requests that create or change one.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::time;
use crate::api::ids::{self, FolderId};
use crate::api::lenient::{flag, known};

/// A folder as the service describes it (`contract.md#folders`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Folder {
    /// The id; it never changes.
    pub id: FolderId,
    /// The time of creation.
    #[serde(default, with = "time::iso", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "service", schema(value_type = String, format = DateTime, required))]
    pub created_at: Option<Timestamp>,
    /// The time of the last change.
    #[serde(default, with = "time::iso", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "service", schema(value_type = String, format = DateTime, required))]
    pub updated_at: Option<Timestamp>,
    /// The time of deletion.
    #[serde(default, with = "time::iso", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "service", schema(value_type = Option<String>, format = DateTime))]
    pub archived_at: Option<Timestamp>,
    /// Set if the folder is deleted.
    #[serde(default, deserialize_with = "flag")]
    #[cfg_attr(feature = "service", schema(required))]
    pub archived: bool,
    /// The parent folder. Absent for a folder in the root folder.
    #[serde(
        default,
        deserialize_with = "known",
        skip_serializing_if = "Option::is_none"
    )]
    pub parent_folder_id: Option<FolderId>,
    /// The name, without the parent folders.
    #[serde(
        default,
        deserialize_with = "known",
        skip_serializing_if = "Option::is_none"
    )]
    pub name: Option<String>,
    /// The absolute path.
    #[serde(
        default,
        deserialize_with = "known",
        skip_serializing_if = "Option::is_none"
    )]
    pub path: Option<String>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    #[cfg_attr(feature = "service", schema(ignore))]
    pub extra: Map<String, Value>,
}

impl Folder {
    /// Returns the name, or the id for a folder without a name.
    pub fn full_name(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.id.to_string())
    }
}

/// Body of `POST /folders`. The parent is given by id or by path, not both; without either it is
/// the root folder.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CreateFolder {
    /// The name, without the parent folders.
    #[serde(default)]
    pub name: String,
    /// The parent folder. Absent for the root folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_folder_id: Option<FolderId>,
    /// The path of the parent folder. The service calls it `parentPath`, its guide
    /// `parentFolderPath`: both are accepted (`contract.md#folders`).
    #[serde(
        default,
        alias = "parentFolderPath",
        skip_serializing_if = "Option::is_none"
    )]
    pub parent_path: Option<String>,
}

/// Body of `PATCH /folders/{id}`; absent fields stay unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct FolderUpdate {
    /// The name, without the parent folders.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The parent folder, written as a JSON integer, unlike every other id
    /// (`contract.md#conventions`). 0 is the root folder here.
    #[serde(
        default,
        serialize_with = "ids::as_integer",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(feature = "service", schema(value_type = Option<i64>))]
    pub parent_folder_id: Option<FolderId>,
}

/// Body of `POST /folders/update/async`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct FolderUpdateTask {
    /// The id; it never changes.
    pub id: FolderId,
    /// The changes to make.
    #[serde(flatten)]
    pub update: FolderUpdate,
}

impl FolderUpdateTask {
    /// Creates a request to change this folder.
    pub fn new(id: FolderId, update: FolderUpdate) -> Self {
        Self { id, update }
    }
}
