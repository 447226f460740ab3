//! The bytes of files: by plain address, by signed address, and as a download with the token.

mod reply;

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use jiff::Timestamp;

use super::{copies, hidden};
use crate::api::model::{Access, ThumbnailSize};
use crate::service::access::scopes::{FILES_READ, HIDDEN_READ, Principal};
use crate::service::access::signing::Grant;
use crate::service::answer::error::ApiError;
use crate::service::domain::names::FilePath;
use crate::service::http::extract::{self, InPath, RawQuery};
use crate::service::policy;
use crate::service::state::AppState;
use crate::service::store::{FileKey, StoreError};
use reply::Delivery;

/// `GET /hubfs/{path}`: public files. A private file is answered like an unknown path.
#[utoipa::path(
    get,
    path = "/hubfs/{*path}",
    operation_id = "getPublicContent",
    tag = "content",
    summary = "The bytes of a public file",
    params(("path" = String, Path, description = "Path of the file")),
    responses(
        (status = 200, content_type = "application/octet-stream", description = "The bytes"),
        (status = 206, content_type = "application/octet-stream", description = "The range that was asked for"),
        (status = 304, description = "What If-None-Match names")
    )
)]
pub(crate) async fn public(
    State(state): State<AppState>,
    InPath(path): InPath<String>,
    request: Parts,
) -> Result<Response, ApiError> {
    let Ok(path) = FilePath::parse(&path) else {
        return Err(nothing_there());
    };
    let found = state
        .store
        .file_at(&path, state.clock.now())
        .await?
        .filter(|file| file.access.is_public());
    let Some(file) = found else {
        return Err(nothing_there());
    };
    let mut response = reply::send(&state, &file, &request, Delivery::Address).await?;
    if file.access == Access::PublicNotIndexable {
        response
            .headers_mut()
            .insert("x-robots-tag", HeaderValue::from_static("noindex"));
    }
    Ok(response)
}

/// `GET /signed/{id}/{name}`: any file, while the signature is valid.
#[utoipa::path(
    get,
    path = "/signed/{id}/{name}",
    operation_id = "getSignedContent",
    tag = "content",
    summary = "The bytes behind a signed address",
    params(("id" = String, Path, description = "Id of the file"),
        ("name" = String, Path, description = "Name of the file"),
        ("size" = inline(Option<ThumbnailSize>), Query, description = "As signed"),
        ("upscale" = Option<bool>, Query, description = "As signed"),
        ("expires" = i64, Query, description = "Epoch milliseconds"),
        ("signature" = String, Query, description = "Over all of these")
    ),
    responses(
        (status = 200, content_type = "application/octet-stream", description = "The bytes"),
        (status = 206, content_type = "application/octet-stream", description = "The range that was asked for"),
        (status = 304, description = "What If-None-Match names")
    )
)]
pub(crate) async fn signed(
    State(state): State<AppState>,
    InPath((id, name)): InPath<(String, String)>,
    query: RawQuery,
    request: Parts,
) -> Result<Response, ApiError> {
    let Ok(key) = extract::id(&id, "fileId").map(FileKey) else {
        return Err(nothing_there());
    };
    let now = state.clock.now();
    let signature = query.text("signature").unwrap_or_default();
    let refused = || {
        ApiError::new(
            policy::SIGNATURE_REFUSED,
            "the address has expired, was withdrawn or was altered",
        )
    };
    let grant = grant(key, name, &query)
        .filter(|grant| now < grant.expires_at)
        .ok_or_else(refused)?;
    // Whoever signed it must still be allowed to read the file.
    let maker = state
        .credentials
        .maker(&grant, signature, now)
        .ok_or_else(refused)?;
    maker.require(&FILES_READ).map_err(|_| refused())?;
    let file = match state.store.file(key, now).await {
        Ok(file) if file.access.is_hidden() && maker.require(&HIDDEN_READ).is_err() => {
            return Err(refused());
        }
        Ok(file) => file,
        Err(StoreError::FileMissing(_)) => return Err(nothing_there()),
        Err(error) => return Err(error.into()),
    };
    let copy = match &grant.size {
        Some(size) => copies::copy(&state, &file, size, grant.upscale).await?,
        None => None,
    };
    let mut response = match copy {
        Some(copy) => reply::send_copy(&file, copy),
        None => reply::send(&state, &file, &request, Delivery::Address).await?,
    };
    response.headers_mut().insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static("private, no-store"),
    );
    response
        .headers_mut()
        .insert("x-robots-tag", HeaderValue::from_static("noindex"));
    response.extensions_mut().insert(maker);
    Ok(response)
}

fn grant(file: FileKey, name: String, query: &RawQuery) -> Option<Grant> {
    let expires_at = Timestamp::from_millisecond(query.number("expires").ok()??).ok()?;
    let size = query.text("size").map(ThumbnailSize::from);
    // Only the form in which the address was issued is accepted.
    let upscale = match (&size, query.text("upscale")) {
        (Some(_), Some("true")) => true,
        (Some(_), Some("false")) | (None, None) => false,
        _ => return None,
    };
    Some(Grant {
        file,
        name,
        size,
        upscale,
        expires_at,
    })
}

/// `GET /files/{id}/download`: the bytes, as an attachment (`contract.md#downloads`).
#[utoipa::path(
    get,
    path = "/files/{id}/download",
    operation_id = "downloadFile",
    tag = "files",
    summary = "The bytes of a file, as an attachment",
    params(("id" = String, Path, description = "Id of the file")),
    responses(
        (status = 200, content_type = "application/octet-stream", description = "The bytes"),
        (status = 206, content_type = "application/octet-stream", description = "The range that was asked for"),
        (status = 304, description = "What If-None-Match names")
    )
)]
pub(crate) async fn download(
    State(state): State<AppState>,
    Extension(caller): Extension<Arc<Principal>>,
    key: FileKey,
    request: Parts,
) -> Result<Response, ApiError> {
    let file = hidden::readable(&state, &caller, key).await?;
    let mut response = reply::send(&state, &file, &request, Delivery::Download).await?;
    response.headers_mut().insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static("private, no-store"),
    );
    Ok(response)
}

fn nothing_there() -> ApiError {
    ApiError::new(StatusCode::NOT_FOUND, "nothing is at this address")
}

#[cfg(test)]
mod tests;
