//! Folders: create, read, rename and move at once, delete with their contents.

mod document;

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::{Extension, Json};

use super::placement;
use crate::api::ids::FolderId;
use crate::api::model::{CreateFolder, Folder, FolderUpdate};
use crate::service::access::scopes::{HIDDEN_WRITE, Principal};
use crate::service::access_log::AccessedObject;
use crate::service::answer::error::ApiError;
use crate::service::answer::render;
use crate::service::domain::names::{self, FolderPath};
use crate::service::http::extract::{self, InPath, JsonBody};
use crate::service::state::AppState;
use crate::service::store::{FolderChange, FolderKey, FolderRecord, Placement, StoreError};
use document::CreateFolderBody;

/// `POST /folders`: 201. Without a parent, the folder is created in the root.
#[utoipa::path(
    post,
    path = "/folders",
    operation_id = "createFolder",
    tag = "folders",
    summary = "Create a folder",
    request_body(content = CreateFolderBody),
    responses((status = 201, body = Folder, description = "The new folder"))
)]
pub(crate) async fn create(
    State(state): State<AppState>,
    JsonBody(body): JsonBody<CreateFolder>,
) -> Result<(StatusCode, Json<Folder>), ApiError> {
    names::check(&body.name).map_err(|error| ApiError::validation(format!("name: {error}")))?;
    let parent = placement::at_most_one(
        (
            "parentFolderId",
            body.parent_folder_id.as_ref().map(FolderId::as_str),
        ),
        ("parentFolderPath", body.parent_path.as_deref()),
    )?;
    let parent = parent.unwrap_or(Placement::Path(FolderPath::default()));
    state.refuse_if_full().await?;
    let record = state
        .store
        .create_folder(&parent, &body.name, state.clock.now())
        .await?;
    Ok((StatusCode::CREATED, Json(render::folder(record))))
}

/// `GET /folders/{id or path}`.
#[utoipa::path(
    get,
    path = "/folders/{*folder}",
    operation_id = "getFolder",
    tag = "folders",
    summary = "A folder by id or path",
    params(("folder" = String, Path, description = "Id of the folder, or its path; digits alone are an id")),
    responses((status = 200, body = Folder, description = "The folder"))
)]
pub(crate) async fn details(
    State(state): State<AppState>,
    InPath(named): InPath<String>,
) -> Result<Json<Folder>, ApiError> {
    let record = find(&state, &named).await?;
    Ok(Json(render::folder(record)))
}

/// Builds the requested change, checked as far as possible without the store.
pub(super) fn change(asked: FolderUpdate) -> Result<FolderChange, ApiError> {
    if let Some(name) = &asked.name {
        names::check(name).map_err(|error| ApiError::validation(format!("name: {error}")))?;
    }
    let id = asked.parent_folder_id.as_ref().map(FolderId::as_str);
    let parent = placement::at_most_one(("parentFolderId", id), ("", None))?;
    Ok(FolderChange {
        name: asked.name,
        parent,
    })
}

/// `PATCH /folders/{id}`: renames and moves at once (`contract.md#folders`).
#[utoipa::path(
    patch,
    path = "/folders/{*folder}",
    operation_id = "updateFolder",
    tag = "folders",
    summary = "Rename or move a folder at once",
    params(("folder" = String, Path, description = "Id of the folder")),
    request_body(content = FolderUpdate),
    responses((status = 200, body = Folder, description = "The changed folder"))
)]
pub(crate) async fn update(
    State(state): State<AppState>,
    key: FolderKey,
    JsonBody(body): JsonBody<FolderUpdate>,
) -> Result<Json<Folder>, ApiError> {
    let record = state
        .store
        .relocate_folder(key, &change(body)?, state.clock.now())
        .await?;
    Ok(Json(render::folder(record)))
}

/// `DELETE /folders/{id or path}`: 204 without a body.
#[utoipa::path(
    delete,
    path = "/folders/{*folder}",
    operation_id = "deleteFolder",
    tag = "folders",
    summary = "Delete a folder with all that is in it",
    params(("folder" = String, Path, description = "Id of the folder, or its path; digits alone are an id")),
    responses((status = 204, description = "Done"))
)]
pub(crate) async fn delete(
    State(state): State<AppState>,
    Extension(caller): Extension<Arc<Principal>>,
    InPath(named): InPath<String>,
) -> Result<Response, ApiError> {
    if named.chars().all(|c| c == '/') {
        return Err(ApiError::validation("the root folder cannot be deleted"));
    }
    let record = find(&state, &named).await?;
    let now = state.clock.now();
    let hidden = caller.require(&HIDDEN_WRITE);
    let deleted = state
        .delete(|| state.store.delete_folder(record.key, hidden.is_ok(), now))
        .await;
    match (deleted, hidden) {
        (Err(StoreError::HiddenBelow), Err(missing)) => return Err(missing.into()),
        (deleted, _) => deleted?,
    }
    state.work.notify_one();
    let object = AccessedObject {
        kind: "folder",
        id: record.key.0.to_string(),
        path: record.path,
        deleted: true,
    };
    Ok((StatusCode::NO_CONTENT, Extension(object)).into_response())
}

/// Digits are an id; a folder in the root with such a name needs a slash in front of it.
async fn find(state: &AppState, named: &str) -> Result<FolderRecord, ApiError> {
    if named.chars().all(|c| c.is_ascii_digit()) {
        let key = FolderKey(extract::id(named, "folderId")?);
        return Ok(state.store.folder(key).await?);
    }
    let path = FolderPath::parse(named).map_err(|error| ApiError::validation(error.to_string()))?;
    let record = state.store.folder_at(&path).await?;
    record.ok_or_else(|| ApiError::not_found(format!("no folder is at {named}")))
}
