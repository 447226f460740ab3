//! Body of an import from an address (`wire.md` §2.2).

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::access::Access;
use super::duplicates::{DuplicateScope, DuplicateStrategy};
use super::time;
use crate::api::ids::FolderId;

/// Body of `POST /files/import-from-url/async`. The folder is given by id or by path, exactly one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportRequest {
    pub url: String,
    pub access: Access,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder_id: Option<FolderId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder_path: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ttl: Option<String>,
    #[serde(default, with = "time::iso", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub expires_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overwrite: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duplicate_validation_scope: Option<DuplicateScope>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duplicate_validation_strategy: Option<DuplicateStrategy>,
}
