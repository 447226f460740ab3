//! The body of an error response. Live responses may lack any field, so all are optional
//! (`contract.md#errors`).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The body of an error.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Problem {
    /// A word, usually `error`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// The error message for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The id to report to the service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correlation_id: Option<String>,
    /// The category of the error, in capitals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Text in most answers, an object in some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sub_category: Option<Value>,
    /// `RATE_LIMIT` on a 429.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_type: Option<String>,
    /// `DAILY`, `TEN_SECONDLY_ROLLING` or `SECONDLY` on a 429.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy_name: Option<String>,
    /// The response's `x-request-id`, on a 429.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// Values that belong to the message, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub context: BTreeMap<String, Vec<String>>,
    /// The individual errors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<ProblemDetail>,
}

/// One of several causes: an object, or plain text in some live answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[serde(untagged)]
#[non_exhaustive]
pub enum ProblemDetail {
    /// Only a message.
    Text(String),
    /// A message with its details.
    Object {
        /// The error message for a person.
        #[serde(default)]
        message: String,
        /// The error code, if there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code: Option<String>,
        /// The field of the request that caused the error.
        #[serde(default, rename = "in", skip_serializing_if = "Option::is_none")]
        field: Option<String>,
        /// Values that belong to the message, by name.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        context: BTreeMap<String, Vec<String>>,
    },
}
