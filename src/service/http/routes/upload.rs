//! Uploads: `POST /files` creates a file, `PUT /files/{id}` replaces the bytes of one
//! (`contract.md#uploads`).

mod document;
mod form;
mod outside;

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use jiff::Timestamp;
use serde::de::DeserializeOwned;

use super::duplicates::duplicate_rule;
use super::files::settable;
use super::{hidden, placement};
use crate::api::model::{File, ReplaceOptions, UploadOptions};
use crate::service::access::scopes::Principal;
use crate::service::answer::error::ApiError;
use crate::service::answer::render::FileObject;
use crate::service::domain::lifetime;
use crate::service::domain::names::{FileName, NameError};
use crate::service::http::extract::{parse_json, with_expiry};
use crate::service::ingest::{self, Charset};
use crate::service::policy;
use crate::service::state::AppState;
use crate::service::store::{Created, ExpiryChange, FileChange, FileKey, NewFileRow};
use document::{ReplaceForm, UploadForm};
use form::UploadBody;

/// `POST /files`: 201 once bytes and row are durable.
#[utoipa::path(
    post,
    path = "/files",
    operation_id = "uploadFile",
    tag = "files",
    summary = "Upload a file",
    request_body(content = UploadForm, content_type = "multipart/form-data"),
    responses((status = 201, body = File, description = "Stored durably, or the existing duplicate"))
)]
pub(crate) async fn upload(
    State(state): State<AppState>,
    request: Request,
) -> Result<(StatusCode, FileObject), ApiError> {
    let form = UploadBody::read(&state, request).await?;
    let now = state.clock.now();
    let placement = placement::exactly_one(
        ("folderId", form.field("folderId")),
        ("folderPath", form.field("folderPath")),
    )?;
    let (options, expires_at) = options::<UploadOptions>(&form)?;
    let new = NewFileRow {
        placement,
        name: name(&form)?,
        duplicates: duplicate_rule(&options)?,
        access: settable(options.access)?,
        expires_at: lifetime::expiry(options.ttl.as_deref(), expires_at, now)?,
        overwrite: options.overwrite.unwrap_or(false),
    };
    let charset = hinted_charset(&form)?;
    let (status, record) = match ingest::create_file(&state, form.file, new, charset).await? {
        Created::New(record) => (StatusCode::CREATED, record),
        Created::Existing(record) => (policy::DUPLICATE_RETURNED, record),
    };
    if record.expires_at.is_some() {
        state.work.notify_one();
    }
    Ok((status, state.file(record)))
}

/// `PUT /files/{id}`: new bytes under the same id and address.
#[utoipa::path(
    put,
    path = "/files/{id}",
    operation_id = "replaceFile",
    tag = "files",
    summary = "Other bytes under the same id and address",
    params(("id" = String, Path, description = "Id of the file")),
    request_body(content = ReplaceForm, content_type = "multipart/form-data"),
    responses((status = 200, body = File, description = "The file with its new content"))
)]
pub(crate) async fn replace(
    State(state): State<AppState>,
    Extension(caller): Extension<Arc<Principal>>,
    key: FileKey,
    request: Request,
) -> Result<FileObject, ApiError> {
    hidden::check_change(&state, &caller, key).await?;
    let old = state.store.file(key, state.clock.now()).await?;
    let form = UploadBody::read(&state, request).await?;
    let now = state.clock.now();
    let (options, expires_at) = options::<ReplaceOptions>(&form)?;
    // The guide requires it when a file is replaced; the model of newer versions does not.
    if options.access.is_none() {
        return Err(ApiError::validation("access is required"));
    }
    if let Some(sent) = form.file_name.as_deref() {
        let sent = FileName::parse(sent).map_err(refused_name)?;
        if !sent.extension().is_empty() && !sent.extension().eq_ignore_ascii_case(&old.extension) {
            let message = format!(
                "a file with the extension '{}' cannot be replaced by another kind",
                old.extension
            );
            return Err(ApiError::validation(message).with_context("extension", sent.extension()));
        }
    }
    let change = FileChange {
        access: options.access.map(settable).transpose()?,
        expiry: lifetime::expiry(options.ttl.as_deref(), expires_at, now)?
            .map_or(ExpiryChange::Keep, ExpiryChange::At),
        ..FileChange::default()
    };
    let charset = hinted_charset(&form)?;
    let record = ingest::replace_file(&state, form.file, old, change, charset).await?;
    state.work.notify_one();
    Ok(state.file(record))
}

fn options<T: DeserializeOwned>(form: &UploadBody) -> Result<(T, Option<Timestamp>), ApiError> {
    let text = form
        .field("options")
        .ok_or_else(|| ApiError::validation("options parameter is required"))?;
    let value = parse_json(text.as_bytes(), "options")?;
    form.check_text("options", &value)?;
    with_expiry(value, "options")
}

/// Returns `fileName`, with the extension of the sent file if it has none; else the name of the
/// sent file; else a name derived from the content. An empty name counts as absent.
fn name(form: &UploadBody) -> Result<FileName, ApiError> {
    let sent = form
        .file_name
        .as_deref()
        .filter(|name| !name.is_empty())
        .map(FileName::parse)
        .transpose();
    let sent = sent.map_err(refused_name)?;
    let asked = form
        .field("fileName")
        .filter(|name| !name.is_empty())
        .map(FileName::parse)
        .transpose()
        .map_err(refused_name)?;
    match (asked, sent) {
        (Some(asked), Some(sent)) => asked.or_extension(sent.extension()),
        (Some(asked), None) => Ok(asked),
        // Clients of the live service rely on it.
        (None, Some(sent)) => Ok(sent),
        (None, None) => ingest::name_by_content(&form.file),
    }
    .map_err(refused_name)
}

fn hinted_charset(form: &UploadBody) -> Result<Option<Charset>, ApiError> {
    let hint = form.field("charsetHunch").unwrap_or_default();
    Charset::of_hint(hint).map_err(|error| {
        ApiError::validation(format!("charsetHunch: {error}")).with_context("charsetHunch", hint)
    })
}

fn refused_name(error: NameError) -> ApiError {
    ApiError::validation(format!("fileName: {error}"))
}
