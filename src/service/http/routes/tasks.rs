//! What imports and folder updates share: the answer to the request, the status, the task's id in the path.

use axum::Json;
use axum::http::StatusCode;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use crate::api::ids::TaskId;
use crate::api::model::{TaskAccepted, TaskStatus, time};
use crate::service::answer::error::ApiError;
use crate::service::domain::task_id::is_task_id;
use crate::service::policy;
use crate::service::state::AppState;
use crate::service::store::TaskRecord;

/// The status of a task (`wire.md` §2.2).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TaskBody<T> {
    task_id: TaskId,
    status: TaskStatus,
    #[serde(with = "time::iso")]
    requested_at: Option<Timestamp>,
    #[serde(with = "time::iso")]
    started_at: Option<Timestamp>,
    #[serde(with = "time::iso")]
    completed_at: Option<Timestamp>,
    num_errors: usize,
    errors: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<T>,
}

impl<T> TaskBody<T> {
    pub(super) fn new(task: TaskRecord, result: Option<T>) -> Result<Self, ApiError> {
        let error = task.error.as_deref().map(serde_json::from_str).transpose();
        let errors: Vec<Value> =
            error.map_err(|error| ApiError::internal("read a task's error", &error))?.into_iter().collect();
        let (started_at, completed_at) = policy::task_times(task.requested_at, task.started_at, task.completed_at);
        Ok(Self {
            task_id: task.id,
            status: task.status,
            requested_at: Some(task.requested_at),
            started_at: Some(started_at),
            completed_at: Some(completed_at),
            num_errors: errors.len(),
            errors,
            result,
        })
    }
}

/// 202 with the address of the status, which says v3 in every version as the live one was seen to (`wire.md` §2.2).
pub(super) fn accepted(state: &AppState, id: TaskId, tasks_path: &str) -> (StatusCode, Json<TaskAccepted>) {
    let mut url = state.base_url.clone();
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty().extend(["files", "v3"]).extend(tasks_path.split('/')).extend([id.as_str(), "status"]);
    }
    let links = std::iter::once(("status".to_owned(), url.to_string())).collect();
    (StatusCode::ACCEPTED, Json(TaskAccepted { id, links }))
}

/// Reads a task's id of the path.
pub(super) fn task_id(text: String) -> Result<TaskId, ApiError> {
    if is_task_id(&text) {
        Ok(TaskId::new(text))
    } else {
        Err(ApiError::new(StatusCode::BAD_REQUEST, "Provided ID could not be decoded.").with_context("id", text))
    }
}

pub(super) fn unknown_task(id: &TaskId) -> ApiError {
    ApiError::not_found("no task has this id").with_context("id", id.as_str())
}
