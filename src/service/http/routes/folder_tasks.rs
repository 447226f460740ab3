//! Renames and moves of folders as tasks (`contract.md#folders`).

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};

use super::tasks::{self, TaskBody};
use super::{folders, placement};
use crate::api::model::{Folder, FolderUpdateTask, Task, TaskAccepted};
use crate::service::access::scopes::Principal;
use crate::service::answer::error::ApiError;
use crate::service::answer::render;
use crate::service::http::extract::{InPath, JsonBody};
use crate::service::jobs::orders::FolderOrder;
use crate::service::state::AppState;
use crate::service::store::{FolderKey, TaskKind};

/// `POST /folders/update/async`: 202. Nothing has changed yet.
#[utoipa::path(
    post,
    path = "/folders/update/async",
    operation_id = "updateFolderAsync",
    tag = "folders",
    summary = "Rename or move a folder as a task",
    request_body(content = FolderUpdateTask),
    responses((status = 202, body = TaskAccepted, description = "The task that was started"))
)]
pub(crate) async fn start(
    State(state): State<AppState>,
    Extension(caller): Extension<Arc<Principal>>,
    JsonBody(body): JsonBody<FolderUpdateTask>,
) -> Result<(StatusCode, Json<TaskAccepted>), ApiError> {
    let key = placement::folder("id", body.id.as_str())?;
    let change = folders::change(body.update)?;
    if change.name.is_none() && change.parent.is_none() {
        return Err(ApiError::validation(
            "one of name and parentFolderId is required",
        ));
    }
    // An update that would fail now is refused at once.
    state.store.check_relocation(key, &change).await?;
    let order = FolderOrder {
        folder: key,
        change,
    };
    tasks::accept(&state, &caller, TaskKind::FolderUpdate, &order, None).await
}

/// `GET /folders/update/async/tasks/{taskId}/status`.
#[utoipa::path(
    get,
    path = "/folders/update/async/tasks/{id}/status",
    operation_id = "getFolderUpdateStatus",
    tag = "folders",
    summary = "Status of a folder update",
    params(("id" = String, Path, description = "Id of the task")),
    responses((status = 200, body = Task<Folder>, description = "The state of the task"))
)]
pub(crate) async fn status(
    State(state): State<AppState>,
    InPath(id): InPath<String>,
) -> Result<Json<TaskBody<Folder>>, ApiError> {
    let find = async |folder| Ok(render::folder(state.store.folder(FolderKey(folder)).await?));
    tasks::status(&state, TaskKind::FolderUpdate, id, find).await
}
