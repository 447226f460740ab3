//! Imports from an address: requested here, carried out by the jobs (`contract.md#imports`).

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use serde_json::Value;

use super::duplicates::duplicate_rule;
use super::files::settable;
use super::tasks::{self, TaskBody};
use super::{hidden, placement};
use crate::api::ids::FolderId;
use crate::api::model::{File, ImportRequest, Task, TaskAccepted};
use crate::service::access::scopes::Principal;
use crate::service::answer::error::ApiError;
use crate::service::answer::render::FileObject;
use crate::service::domain::version::ApiVersion;
use crate::service::domain::{lifetime, names};
use crate::service::http::extract::{InPath, JsonBody, with_expiry};
use crate::service::jobs::orders::ImportOrder;
use crate::service::state::AppState;
use crate::service::store::{FileKey, Placement, TaskKind};
use crate::service::{fetch, policy};

/// `POST /files/import-from-url/async`: 202. Everything that can be checked without fetching the
/// address is checked.
#[utoipa::path(
    post,
    path = "/files/import-from-url/async",
    operation_id = "importFile",
    tag = "files",
    summary = "Import a file from an address; 2026-03 requires overwrite and both duplicate settings",
    request_body(content = ImportRequest),
    responses((status = 202, body = TaskAccepted, description = "The task that was started"))
)]
pub(crate) async fn start(
    State(state): State<AppState>,
    Extension(version): Extension<ApiVersion>,
    Extension(caller): Extension<Arc<Principal>>,
    JsonBody(body): JsonBody<Value>,
) -> Result<(StatusCode, Json<TaskAccepted>), ApiError> {
    let order = check(&state, version, body)?;
    if let Placement::Folder(key) = order.target {
        state.store.folder(key).await?;
    }
    tasks::accept(&state, &caller, TaskKind::Import, &order, Some(&order.url)).await
}

fn check(state: &AppState, version: ApiVersion, body: Value) -> Result<ImportOrder, ApiError> {
    let is_missing = |field: &&str| body.is_object() && body.get(field).is_none_or(Value::is_null);
    if is_missing(&"url") {
        return Err(ApiError::new(policy::IMPORT_WITHOUT_URL, "url is required")
            .with_category("VALIDATION_ERROR"));
    }
    let settings = [
        "overwrite",
        "duplicateValidationScope",
        "duplicateValidationStrategy",
    ];
    if let Some(field) = settings
        .iter()
        .find(|field| version.import_settles_clashes() && is_missing(field))
    {
        return Err(ApiError::validation(format!("{field} is required")));
    }
    let (body, expires_at) = with_expiry::<ImportRequest>(body, "the body")?;
    fetch::check_url(&body.url).map_err(|error| {
        ApiError::validation(error.to_string()).with_context("url", body.url.as_str())
    })?;
    if let Some(name) = &body.name {
        names::check(name).map_err(|error| ApiError::validation(format!("name: {error}")))?;
    }
    let target = placement::exactly_one(
        ("folderId", body.folder_id.as_ref().map(FolderId::as_str)),
        ("folderPath", body.folder_path.as_deref()),
    )?;
    lifetime::expiry(body.options.ttl.as_deref(), expires_at, state.clock.now())?;
    Ok(ImportOrder {
        url: body.url,
        name: body.name,
        target,
        duplicates: duplicate_rule(&body.options)?,
        access: settable(body.options.access)?,
        ttl: body.options.ttl,
        expires_at,
        overwrite: body.options.overwrite.unwrap_or(false),
    })
}

/// `GET /files/import-from-url/async/tasks/{taskId}/status`.
#[utoipa::path(
    get,
    path = "/files/import-from-url/async/tasks/{id}/status",
    operation_id = "getImportStatus",
    tag = "files",
    summary = "Status of an import",
    params(("id" = String, Path, description = "Id of the task")),
    responses((status = 200, body = Task<File>, description = "The state of the task"))
)]
pub(crate) async fn status(
    State(state): State<AppState>,
    Extension(caller): Extension<Arc<Principal>>,
    InPath(id): InPath<String>,
) -> Result<Json<TaskBody<FileObject>>, ApiError> {
    let find = async |file| Ok(state.file(hidden::readable(&state, &caller, FileKey(file)).await?));
    tasks::status(&state, TaskKind::Import, id, find).await
}
