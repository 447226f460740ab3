//! A signed address: a temporary link to a file's bytes, whatever the access level
//! (`contract.md#signed-addresses`).

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::file::FileKind;
use super::open_enum::open_enum;
use super::time;

open_enum!(
    /// The resized copy of an image to sign.
    ThumbnailSize {
        /// The smallest.
        Icon = "icon",
        /// Small.
        Thumb = "thumb",
        /// At most 300 pixels at its longer edge.
        Medium = "medium",
        /// The largest.
        Preview = "preview",
    }
);

/// A signed address, and the file that it leads to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SignedUrl {
    /// The address.
    pub url: String,
    /// The time until which the address works.
    #[serde(default, with = "time::iso", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "service", schema(value_type = Option<String>, format = DateTime))]
    pub expires_at: Option<Timestamp>,
    /// The name of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The extension without the dot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extension: Option<String>,
    /// The kind of content.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<FileKind>,
    /// The size in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// The height of an image, in pixels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<u32>,
    /// The width of an image, in pixels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    /// The requested properties, and any other fields of the answer.
    #[serde(flatten)]
    pub others: serde_json::Map<String, serde_json::Value>,
}
