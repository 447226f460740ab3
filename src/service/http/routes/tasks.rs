//! Shared parts of imports and folder updates: the response to the request, the status, the task id
//! in the path.

use axum::Json;
use axum::http::StatusCode;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use crate::api::ids::TaskId;
use crate::api::model::{TaskAccepted, TaskStatus, time};
use crate::service::access::scopes::Principal;
use crate::service::answer::error::ApiError;
use crate::service::domain::task_id::{is_task_id, new_task_id};
use crate::service::policy;
use crate::service::state::AppState;
use crate::service::store::{NewTask, StoreError, TaskKind, TaskRecord};

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
    fn new(task: TaskRecord, result: Option<T>) -> Result<Self, ApiError> {
        let error = task.error.as_deref().map(serde_json::from_str).transpose();
        let errors: Vec<Value> = error
            .map_err(|error| ApiError::internal("read a task's error", &error))?
            .into_iter()
            .collect();
        // A status always has all times (`contract.md#tasks`); one that is yet to come repeats the
        // previous one. Only `status` shows if the task has ended.
        let started_at = task.started_at.unwrap_or(task.requested_at);
        Ok(Self {
            task_id: task.id,
            status: task.status,
            requested_at: Some(task.requested_at),
            started_at: Some(started_at),
            completed_at: Some(task.completed_at.unwrap_or(started_at)),
            num_errors: errors.len(),
            errors,
            result,
        })
    }
}

/// Stores a task for the jobs. Responds with 202 and the address of the status, which has v3 in
/// every version, as observed with the live service (`contract.md#tasks`).
pub(super) async fn accept(
    state: &AppState,
    caller: &Principal,
    kind: TaskKind,
    order: &impl Serialize,
    origin: Option<&str>,
) -> Result<(StatusCode, Json<TaskAccepted>), ApiError> {
    let request =
        serde_json::to_string(order).map_err(|error| ApiError::internal("write a task", &error))?;
    state.refuse_if_full().await?;
    let (id, requested_at) = (new_task_id(), state.clock.now());
    let task = NewTask {
        id: id.clone(),
        kind,
        request,
        origin: origin.map(str::to_owned),
        caller: caller.name.clone(),
        requested_at,
        turn: requested_at + policy::TASK_PENDING_FOR,
    };
    state.store.add_task(task).await?;
    let tasks_path = match kind {
        TaskKind::Import => "files/import-from-url/async/tasks",
        TaskKind::FolderUpdate => "folders/update/async/tasks",
    };
    state.work.notify_one();
    let mut url = state.base_url.clone();
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty()
            .extend(["files", "v3"])
            .extend(tasks_path.split('/'))
            .extend([id.as_str(), "status"]);
    }
    let links = std::iter::once(("status".to_owned(), url.to_string())).collect();
    Ok((StatusCode::ACCEPTED, Json(TaskAccepted { id, links })))
}

/// Returns the status of the task in the path. `find` returns its result, which may have been
/// deleted since.
pub(super) async fn status<T, F>(
    state: &AppState,
    kind: TaskKind,
    id: String,
    find: impl FnOnce(i64) -> F,
) -> Result<Json<TaskBody<T>>, ApiError>
where
    F: Future<Output = Result<T, StoreError>>,
{
    if !is_task_id(&id) {
        return Err(
            ApiError::new(StatusCode::BAD_REQUEST, "Provided ID could not be decoded.")
                .with_context("id", id),
        );
    }
    let id = TaskId::new(id);
    let unknown = || ApiError::not_found("no task has this id").with_context("id", id.as_str());
    let task = state.store.task(&id, kind).await?.ok_or_else(unknown)?;
    let found = futures::future::OptionFuture::from(task.result.map(find)).await;
    let result = match found.transpose() {
        Err(StoreError::FileMissing(_) | StoreError::FolderMissing(_)) => None,
        found => found?,
    };
    Ok(Json(TaskBody::new(task, result)?))
}
