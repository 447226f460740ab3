//! A single file: details, update, signed address, deletion, and lookup of a path.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::{Extension, Json};
use jiff::SignedDuration;
use serde_json::Value;

use super::{copies, hidden, placement};
use crate::api::ids::FolderId;
use crate::api::model::{Access, File, FileKind, FileUpdate, SignedUrl, Stat, ThumbnailSize};
use crate::service::access::scopes::Principal;
use crate::service::access::signing::Grant;
use crate::service::access_log::AccessedObject;
use crate::service::answer::error::ApiError;
use crate::service::answer::render::{self, FileObject};
use crate::service::domain::lifetime;
use crate::service::domain::names::{FilePath, FolderPath};
use crate::service::domain::version::ApiVersion;
use crate::service::http::extract::{InPath, JsonBody, RawQuery, with_expiry};
use crate::service::policy;
use crate::service::state::AppState;
use crate::service::store::{ExpiryChange, FileChange, FileKey, FileRecord};

/// `GET /files/{id}`.
#[utoipa::path(
    get,
    path = "/files/{id}",
    operation_id = "getFile",
    tag = "files",
    summary = "Details of a file",
    params(("id" = String, Path, description = "Id of the file")),
    responses((status = 200, body = File, description = "The file"))
)]
pub(crate) async fn details(
    State(state): State<AppState>,
    Extension(caller): Extension<Arc<Principal>>,
    key: FileKey,
) -> Result<FileObject, ApiError> {
    let record = hidden::readable(&state, &caller, key).await?;
    Ok(state.file(record))
}

/// `GET /files/stat/{path}`: a file, or else a folder. A miss has no category
/// (`contract.md#folders`).
#[utoipa::path(
    get,
    path = "/files/stat/{*path}",
    operation_id = "statPath",
    tag = "files",
    summary = "The file or the folder at a path",
    params(("path" = String, Path, description = "Path, with slashes as they are or percent-encoded")),
    responses((status = 200, body = Stat, description = "One of the two"))
)]
pub(crate) async fn stat(
    State(state): State<AppState>,
    InPath(path): InPath<String>,
) -> Result<Json<Value>, ApiError> {
    let (file, folder) = (FilePath::parse(&path), FolderPath::parse(&path));
    if let (Err(error), Err(_)) = (&file, &folder) {
        return Err(ApiError::validation(error.to_string()));
    }
    if let Ok(path) = file
        && let Some(record) = state.store.file_at(&path, state.clock.now()).await?
        && !record.access.is_hidden()
    {
        return Ok(Json(serde_json::json!({ "file": state.file(record) })));
    }
    if let Ok(path) = folder
        && let Some(record) = state.store.folder_at(&path).await?
    {
        return Ok(Json(
            serde_json::json!({ "folder": render::folder(record) }),
        ));
    }
    Err(ApiError::new(
        StatusCode::NOT_FOUND,
        "No file or folder exists at path",
    ))
}

/// `PATCH /files/{id}` (`contract.md#updates`).
#[utoipa::path(
    patch,
    path = "/files/{id}",
    operation_id = "updateFile",
    tag = "files",
    summary = "Change a file in place; dated versions require clearExpires",
    params(("id" = String, Path, description = "Id of the file")),
    request_body(content = FileUpdate),
    responses((status = 200, body = File, description = "The changed file"))
)]
pub(crate) async fn update(
    State(state): State<AppState>,
    Extension(version): Extension<ApiVersion>,
    Extension(caller): Extension<Arc<Principal>>,
    key: FileKey,
    JsonBody(body): JsonBody<Value>,
) -> Result<FileObject, ApiError> {
    hidden::check_change(&state, &caller, key).await?;
    let (body, expires_at) = with_expiry::<FileUpdate>(body, "the body")?;
    if version.needs_clear_expires() && body.clear_expires.is_none() {
        return Err(ApiError::validation("clearExpires is required"));
    }
    let now = state.clock.now();
    let expiry = match (expires_at, body.clear_expires.unwrap_or(false)) {
        (Some(_), true) => {
            return Err(ApiError::validation(
                "expiresAt and clearExpires cannot be set together",
            ));
        }
        (Some(time), false) => ExpiryChange::At(lifetime::in_future(time, now)?),
        (None, true) => ExpiryChange::Never,
        (None, false) => ExpiryChange::Keep,
    };
    let change = FileChange {
        stem: body.name,
        placement: placement::at_most_one(
            (
                "parentFolderId",
                body.parent_folder_id.as_ref().map(FolderId::as_str),
            ),
            ("parentFolderPath", body.parent_folder_path.as_deref()),
        )?,
        access: body.access.map(settable).transpose()?,
        usable: body.is_usable_in_content,
        expiry,
    };
    let record = state.store.update_file(key, change, now).await?;
    if expiry != ExpiryChange::Keep {
        state.work.notify_one();
    }
    Ok(state.file(record))
}

pub(crate) fn settable(access: Access) -> Result<Access, ApiError> {
    if Access::SETTABLE.contains(&access) {
        return Ok(access);
    }
    let message = if access.is_hidden() {
        "hidden files cannot be created".to_owned()
    } else {
        let levels = Access::SETTABLE.each_ref().map(Access::as_str).join(", ");
        format!("access must be one of {levels}")
    };
    Err(ApiError::validation(message).with_context("access", access.as_str()))
}

/// `GET /files/{id}/signed-url` (`contract.md#signed-addresses`). `property` names file properties
/// to add.
#[utoipa::path(
    get,
    path = "/files/{id}/signed-url",
    operation_id = "getSignedUrl",
    tag = "files",
    summary = "An address that works for a while, whatever the access level",
    params(("id" = String, Path, description = "Id of the file"),
        ("expirationSeconds" = Option<i64>, Query, description = "Lifetime, 1 to 21600; 3600 if absent"),
        ("size" = inline(Option<ThumbnailSize>), Query, description = "A resized copy; images only"),
        ("upscale" = Option<bool>, Query, description = "Enlarge a smaller image to the size"),
        ("property" = Option<Vec<String>>, Query, description = "Properties of the file to add to the answer")
    ),
    responses((status = 200, body = SignedUrl, description = "The address and what it leads to"))
)]
pub(crate) async fn signed_url(
    State(state): State<AppState>,
    Extension(caller): Extension<Arc<Principal>>,
    key: FileKey,
    query: RawQuery,
) -> Result<Json<Value>, ApiError> {
    let seconds = query
        .number("expirationSeconds")?
        .unwrap_or(policy::DEFAULT_SIGNED_SECONDS);
    if !(1..=policy::MAX_SIGNED_SECONDS).contains(&seconds) {
        let message = format!(
            "expirationSeconds must be between 1 and {}",
            policy::MAX_SIGNED_SECONDS
        );
        return Err(
            ApiError::validation(message).with_context("expirationSeconds", seconds.to_string())
        );
    }
    let size = match query.text("size").map(ThumbnailSize::from) {
        Some(ThumbnailSize::Other(size)) => {
            return Err(
                ApiError::validation("size must be one of icon, thumb, medium, preview")
                    .with_context("size", size),
            );
        }
        size => size,
    };
    // Only a copy can be enlarged; the address of the file itself does not have this parameter.
    let upscale = query.flag("upscale")?.unwrap_or(false) && size.is_some();
    let record = hidden::readable(&state, &caller, key).await?;
    if size.is_some() && record.content.kind != FileKind::Image {
        return Err(ApiError::validation("size can be asked for images only"));
    }
    let copy = match &size {
        Some(size) => copies::copy(&state, &record, size, upscale).await?,
        None => None,
    };
    let expires_at = state.clock.now() + SignedDuration::from_secs(seconds);
    let grant = Grant {
        file: key,
        name: record.full_name.clone(),
        size,
        upscale,
        expires_at,
    };
    let signature = state.credentials.sign(&grant, &caller);
    let signed = render::signed_url(&record, copy.as_ref(), &grant, &signature, &state.base_url);
    let mut answer = to_json(&signed)?;
    let file = to_json(&state.file(record))?;
    for property in query.list("property") {
        if let (Some(answer), Some(value)) = (answer.as_object_mut(), file.get(property)) {
            answer.entry(property).or_insert_with(|| value.clone());
        }
    }
    Ok(Json(answer))
}

fn to_json(value: &impl serde::Serialize) -> Result<Value, ApiError> {
    serde_json::to_value(value).map_err(|error| ApiError::internal("write JSON", &error))
}

/// `DELETE /files/{id}`: 204 without a body.
#[utoipa::path(
    delete,
    path = "/files/{id}",
    operation_id = "deleteFile",
    tag = "files",
    summary = "Delete a file",
    params(("id" = String, Path, description = "Id of the file")),
    responses((status = 204, description = "Done"))
)]
pub(crate) async fn delete(
    State(state): State<AppState>,
    Extension(caller): Extension<Arc<Principal>>,
    key: FileKey,
) -> Result<Response, ApiError> {
    let file = hidden::check_change(&state, &caller, key).await?;
    let now = state.clock.now();
    state.delete(|| state.store.delete_file(key, now)).await?;
    Ok(deleted(key, file).into_response())
}

/// `DELETE /files/{id}/gdpr-delete`: 204; content and metadata are erased soon after, even of a
/// deleted file.
#[utoipa::path(
    delete,
    path = "/files/{id}/gdpr-delete",
    operation_id = "eraseFile",
    tag = "files",
    summary = "Delete a file permanently, for data protection",
    params(("id" = String, Path, description = "Id of the file")),
    responses((status = 204, description = "Done"))
)]
pub(crate) async fn erase(
    State(state): State<AppState>,
    Extension(caller): Extension<Arc<Principal>>,
    key: FileKey,
) -> Result<Response, ApiError> {
    let file = hidden::check_change(&state, &caller, key).await?;
    let now = state.clock.now();
    state
        .delete(|| state.store.request_erasure(key, now))
        .await?;
    state.work.notify_one();
    Ok(deleted(key, file).into_response())
}

/// 204, with the file for the access log. A file that was deleted before has only its id.
fn deleted(key: FileKey, file: Option<FileRecord>) -> (StatusCode, Extension<AccessedObject>) {
    let path = file.map(|file| file.path()).unwrap_or_default();
    let object = AccessedObject {
        kind: "file",
        id: key.0.to_string(),
        path,
        deleted: true,
    };
    (StatusCode::NO_CONTENT, Extension(object))
}
