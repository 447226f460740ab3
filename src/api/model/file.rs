//! The file object, and the changes that can be made in place.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::access::Access;
use super::open_enum::open_enum;
use super::time;
use crate::api::ids::{FileId, FolderId};
use crate::api::lenient::{flag, known};

open_enum!(
    /// The kind of a file: a category, not a media type.
    FileKind {
        /// An image.
        Image = "IMG",
        /// A document or text.
        Document = "DOCUMENT",
        /// Audio.
        Audio = "AUDIO",
        /// A video.
        Movie = "MOVIE",
        /// Any other kind.
        Unspecified = "OTHER",
    }
);

/// A file as the service describes it (`contract.md#files`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct File {
    /// The id; it never changes.
    pub id: FileId,
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
    /// Set if the file is deleted.
    #[serde(default, deserialize_with = "flag")]
    #[cfg_attr(feature = "service", schema(required))]
    pub archived: bool,
    /// The folder that holds the file. Absent for a file in the root folder.
    #[serde(
        default,
        deserialize_with = "known",
        skip_serializing_if = "Option::is_none"
    )]
    pub parent_folder_id: Option<FolderId>,
    /// The name without the extension.
    #[serde(
        default,
        deserialize_with = "known",
        skip_serializing_if = "Option::is_none"
    )]
    pub name: Option<String>,
    /// The folder path, name and extension.
    #[serde(
        default,
        deserialize_with = "known",
        skip_serializing_if = "Option::is_none"
    )]
    pub path: Option<String>,
    /// The size in bytes.
    #[serde(
        default,
        deserialize_with = "known",
        skip_serializing_if = "Option::is_none"
    )]
    pub size: Option<u64>,
    /// The height in pixels, of images and videos.
    #[serde(
        default,
        deserialize_with = "known",
        skip_serializing_if = "Option::is_none"
    )]
    pub height: Option<u32>,
    /// The width in pixels, of images and videos.
    #[serde(
        default,
        deserialize_with = "known",
        skip_serializing_if = "Option::is_none"
    )]
    pub width: Option<u32>,
    /// The encoding of a text file, such as `utf-8`.
    #[serde(
        default,
        deserialize_with = "known",
        skip_serializing_if = "Option::is_none"
    )]
    pub encoding: Option<String>,
    /// The kind of content.
    #[serde(
        default,
        rename = "type",
        deserialize_with = "known",
        skip_serializing_if = "Option::is_none"
    )]
    pub kind: Option<FileKind>,
    /// The extension without the dot.
    #[serde(
        default,
        deserialize_with = "known",
        skip_serializing_if = "Option::is_none"
    )]
    pub extension: Option<String>,
    /// The address under the default host.
    #[serde(
        default,
        deserialize_with = "known",
        skip_serializing_if = "Option::is_none"
    )]
    pub default_hosting_url: Option<String>,
    /// The address of the file. Answers 404 while the file is private.
    #[serde(
        default,
        deserialize_with = "known",
        skip_serializing_if = "Option::is_none"
    )]
    pub url: Option<String>,
    /// Set if the file may be used in pages and emails.
    #[serde(
        default,
        deserialize_with = "known",
        skip_serializing_if = "Option::is_none"
    )]
    pub is_usable_in_content: Option<bool>,
    /// The access level: who may fetch the file by its address.
    #[serde(
        default,
        deserialize_with = "known",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(feature = "service", schema(value_type = Access, required))]
    pub access: Option<Access>,
    /// MD5 of the content, lower-case hex.
    #[serde(
        default,
        deserialize_with = "known",
        skip_serializing_if = "Option::is_none"
    )]
    pub file_md5: Option<String>,
    /// The time at which the service will delete the file. Absent if never.
    #[serde(
        default,
        with = "time::millis",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(feature = "service", schema(value_type = Option<i64>))]
    pub expires_at: Option<Timestamp>,
    /// The source of the file, in the service's own terms.
    #[serde(
        default,
        deserialize_with = "known",
        skip_serializing_if = "Option::is_none"
    )]
    pub source_group: Option<String>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    #[cfg_attr(feature = "service", schema(ignore))]
    pub extra: Map<String, Value>,
}

impl File {
    /// Returns the name with the extension, or the id for a file without a name. An empty extension
    /// adds no dot.
    pub fn full_name(&self) -> String {
        let name = self.name.as_deref().unwrap_or(self.id.as_str());
        match self
            .extension
            .as_deref()
            .map(|extension| extension.trim_start_matches('.'))
        {
            Some(extension) if !extension.is_empty() => format!("{name}.{extension}"),
            _ => name.to_owned(),
        }
    }
}

/// Body of `PATCH /files/{id}`; absent fields stay unchanged (`contract.md#updates`).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct FileUpdate {
    /// The name without the extension, which cannot be changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The access level: who may fetch the file by its address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub access: Option<Access>,
    /// Set if the file may be used in pages and emails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_usable_in_content: Option<bool>,
    /// The folder to move the file to. Excludes `parent_folder_path`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_folder_id: Option<FolderId>,
    /// The path of the folder to move the file to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_folder_path: Option<String>,
    /// The time at which the service will delete the file. Absent if never.
    #[serde(default, with = "time::iso", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "service", schema(value_type = Option<String>, format = DateTime))]
    pub expires_at: Option<Timestamp>,
    /// Dated versions of the API require this field (`contract.md#versions`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clear_expires: Option<bool>,
}
