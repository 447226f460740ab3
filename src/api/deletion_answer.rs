//! The service's answer to a deletion, for the receipt.

use std::fmt;

use serde::Serialize;

use super::error::Error;

/// The answer after which something counts as deleted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DeletionAnswer {
    /// The HTTP status.
    pub status: u16,
    /// Identifies the call in the service's logs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correlation_id: Option<String>,
}

const NO_CONTENT: u16 = 204;
const NOT_FOUND: u16 = 404;

impl DeletionAnswer {
    pub(super) fn accepted(correlation_id: Option<String>) -> Self {
        Self {
            status: NO_CONTENT,
            correlation_id,
        }
    }

    /// Returns the answer that nothing is there, after a deletion whose own answer was lost.
    pub(crate) fn missing(error: Error) -> Self {
        Self {
            status: error.status.unwrap_or(NOT_FOUND),
            correlation_id: error.correlation_id,
        }
    }

    /// Returns `true` if the service said that it carries out the deletion.
    pub fn is_accepted(&self) -> bool {
        self.status == NO_CONTENT
    }
}

/// Unsafe to show: the id is the service's.
impl fmt::Display for DeletionAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = if self.is_accepted() {
            "accepted"
        } else {
            "no such file anymore"
        };
        write!(f, "{words} (HTTP {}", self.status)?;
        if let Some(id) = &self.correlation_id {
            write!(f, ", correlation id {id}")?;
        }
        f.write_str(")")
    }
}
