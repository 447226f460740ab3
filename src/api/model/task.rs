//! Asynchronous tasks of the service: imports and folder updates (`contract.md#tasks`,
//! `contract.md#folders`).

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::open_enum::open_enum;
use super::problem::ProblemDetail;
use super::time;
use crate::api::ids::TaskId;

open_enum!(
    /// The status of a task.
    TaskStatus {
        /// Not started.
        Pending = "PENDING",
        /// In progress.
        Processing = "PROCESSING",
        /// Ended successfully.
        Complete = "COMPLETE",
        /// Ended without a result.
        Canceled = "CANCELED",
    }
);

impl TaskStatus {
    /// Returns `true` if the status will not change anymore. Unknown values count as still running.
    pub fn is_final(&self) -> bool {
        matches!(self, Self::Complete | Self::Canceled)
    }
}

/// The answer to a request that starts a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct TaskAccepted {
    /// The id of the task.
    pub id: TaskId,
    /// Never displayed or followed: the client builds the status address itself.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub links: BTreeMap<String, String>,
}

/// The state of a task; `result` is the file or folder that resulted from it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Task<T> {
    /// The id of the task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "service", schema(value_type = TaskId, required))]
    pub task_id: Option<TaskId>,
    /// The status.
    pub status: TaskStatus,
    /// The time of the request.
    #[serde(default, with = "time::iso", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "service", schema(value_type = Option<String>, format = DateTime))]
    pub requested_at: Option<Timestamp>,
    /// The start time. Present even before the start; `status` tells if the task has started.
    #[serde(default, with = "time::iso", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "service", schema(value_type = String, format = DateTime, required))]
    pub started_at: Option<Timestamp>,
    /// The end time. Present even before the end; `status` tells if the task has ended.
    #[serde(default, with = "time::iso", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "service", schema(value_type = String, format = DateTime, required))]
    pub completed_at: Option<Timestamp>,
    /// The file or folder that the task created or changed.
    #[serde(default = "Option::default", skip_serializing_if = "Option::is_none")]
    pub result: Option<T>,
    /// The number of errors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub num_errors: Option<u64>,
    /// The individual errors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<ProblemDetail>,
}

impl<T> Task<T> {
    /// Returns the result of a task that succeeded: COMPLETE, with a result and without errors
    /// (`contract.md#tasks`).
    pub fn success(&self) -> Option<&T> {
        self.result.as_ref().filter(|_| self.is_clean())
    }

    /// Returns the error messages, in the service's own words.
    pub fn causes(&self) -> Vec<String> {
        let message = |error: &ProblemDetail| match error {
            ProblemDetail::Text(text) => text.clone(),
            ProblemDetail::Object { message, .. } => message.clone(),
        };
        self.errors
            .iter()
            .map(message)
            .filter(|text| !text.is_empty())
            .collect()
    }

    /// Returns `true` if the task is COMPLETE without errors, even if the answer holds no result.
    pub fn is_clean(&self) -> bool {
        self.status == TaskStatus::Complete
            && self.num_errors.unwrap_or(0) == 0
            && self.errors.is_empty()
    }
}
