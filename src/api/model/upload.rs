//! The `options` field of uploads and replacements: JSON text inside a form field
//! (`contract.md#uploads`).

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::access::Access;
use super::duplicates::{DuplicateScope, DuplicateStrategy};
use super::time;

/// Options of `POST /files`, and of imports.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct UploadOptions {
    /// The access level: who may fetch the file by its address.
    pub access: Access,
    /// The ISO 8601 period after which the file is deleted permanently, 1 day to 1 year: `P1D`,
    /// `P2W`, `P3M`, `P1Y`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ttl: Option<String>,
    /// The time at which the service will delete the file. Absent if never.
    #[serde(default, with = "time::iso", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "service", schema(value_type = Option<String>, format = DateTime))]
    pub expires_at: Option<Timestamp>,
    /// Deletes a file of the same name; the new one gets a new id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overwrite: Option<bool>,
    /// The scope of the search for the same content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duplicate_validation_scope: Option<DuplicateScope>,
    /// The service's reaction to the same content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duplicate_validation_strategy: Option<DuplicateStrategy>,
}

impl UploadOptions {
    /// Creates options that set only the access level.
    pub fn new(access: Access) -> Self {
        Self {
            access,
            ttl: None,
            expires_at: None,
            overwrite: None,
            duplicate_validation_scope: None,
            duplicate_validation_strategy: None,
        }
    }
}

/// Options of `PUT /files/{id}`: the file keeps its id and address (`contract.md#replacements`).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ReplaceOptions {
    /// The access level. Absent: unchanged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub access: Option<Access>,
    /// The ISO 8601 period after which the file is deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ttl: Option<String>,
    /// The time at which the service will delete the file. Absent if never.
    #[serde(default, with = "time::iso", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "service", schema(value_type = Option<String>, format = DateTime))]
    pub expires_at: Option<Timestamp>,
}
