//! Uploads: `POST /files` makes a file, `PUT /files/{id}` replaces one's bytes (`wire.md` §2.1, §7).

mod document;
mod form;
mod outside;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use serde_json::Value;

use super::files::settable;
use super::{hidden, placement};
use crate::api::model::{DuplicateScope, DuplicateStrategy, File, ReplaceOptions, UploadOptions};
use crate::service::error::ApiError;
use crate::service::extract::{json_time, parse_json};
use crate::service::intake;
use crate::service::lifetime;
use crate::service::names::{FileName, NameError};
use crate::service::policy;
use crate::service::scopes::Caller;
use crate::service::state::AppState;
use crate::service::store::{Created, DuplicateRule, ExpiryChange, FileChange, FileKey, NewFile};
use document::{ReplaceForm, UploadForm};
use form::Form;

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
) -> Result<(StatusCode, Json<File>), ApiError> {
    let form = Form::read(&state, request).await?;
    let now = state.clock.now();
    let placement =
        placement::exactly_one(("folderId", form.field("folderId")), ("folderPath", form.field("folderPath")))?;
    let (options, expires_at) = options(&form)?;
    let options: UploadOptions = from_value(options)?;
    let new = NewFile {
        placement,
        name: name(&form)?,
        access: settable(options.access)?,
        expires_at: lifetime::expiry(options.ttl.as_deref(), expires_at, now)?,
        overwrite: options.overwrite.unwrap_or(false),
        duplicates: duplicate_rule(options.duplicate_validation_scope, options.duplicate_validation_strategy)?,
    };
    let charset = form.field("charsetHunch").map(str::to_owned);
    let (status, record) = match intake::create_file(&state, form.into_file(), new, charset).await? {
        Created::New(record) => (StatusCode::CREATED, record),
        Created::Existing(record) => (policy::DUPLICATE_RETURNED, record),
    };
    if record.expires_at.is_some() {
        state.work.notify_one();
    }
    Ok((status, Json(state.file(&record))))
}

/// `PUT /files/{id}`: other bytes under the same id and address.
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
    Extension(caller): Extension<Caller>,
    key: FileKey,
    request: Request,
) -> Result<Json<File>, ApiError> {
    hidden::check_change(&state, &caller, key).await?;
    let old = state.store.file(key, state.clock.now()).await?;
    let form = Form::read(&state, request).await?;
    let now = state.clock.now();
    let (options, expires_at) = options(&form)?;
    let options: ReplaceOptions = from_value(options)?;
    if policy::REPLACE_NEEDS_ACCESS && options.access.is_none() {
        return Err(ApiError::validation("access is required"));
    }
    if let Some(sent) = form.file_name.as_deref().filter(|_| policy::REPLACE_KEEPS_EXTENSION) {
        let sent = FileName::parse(sent).map_err(refused_name)?;
        if !sent.extension().is_empty() && !sent.extension().eq_ignore_ascii_case(&old.extension) {
            let message = format!("a file with the extension '{}' cannot be replaced by another kind", old.extension);
            return Err(ApiError::validation(message).with_context("extension", sent.extension()));
        }
    }
    let change = FileChange {
        access: options.access.map(settable).transpose()?,
        expiry: lifetime::expiry(options.ttl.as_deref(), expires_at, now)?.map_or(ExpiryChange::Keep, ExpiryChange::At),
        ..FileChange::default()
    };
    let charset = form.field("charsetHunch").map(str::to_owned);
    let record = intake::replace_file(&state, form.into_file(), old, change, charset).await?;
    state.work.notify_one();
    Ok(Json(state.file(&record)))
}

/// The options as they came, and the one time in them.
fn options(form: &Form) -> Result<(Value, Option<jiff::Timestamp>), ApiError> {
    let text = form.field("options").ok_or_else(|| ApiError::validation("options parameter is required"))?;
    let options: Value = parse_json(text.as_bytes(), "options")?;
    let expires_at = json_time(options.get("expiresAt"), "expiresAt")?;
    Ok((options, expires_at))
}

fn from_value<T: serde::de::DeserializeOwned>(options: Value) -> Result<T, ApiError> {
    serde_json::from_value(options).map_err(|error| ApiError::validation(format!("options: {error}")))
}

/// `fileName`, with the extension of the sent file where it has none; else the sent file's name; else one made of the
/// content.
fn name(form: &Form) -> Result<FileName, ApiError> {
    let sent = form.file_name.as_deref().filter(|name| !name.is_empty()).map(FileName::parse).transpose();
    let sent = sent.map_err(refused_name)?;
    let asked = form.field("fileName").map(FileName::parse).transpose().map_err(refused_name)?;
    match (asked, sent) {
        (Some(asked), Some(sent)) => asked.or_extension(sent.extension()),
        (Some(name), None) | (None, Some(name)) => Ok(name),
        (None, None) => intake::name_by_content(form.spooled()),
    }
    .map_err(refused_name)
}

fn refused_name(error: NameError) -> ApiError {
    ApiError::validation(format!("fileName: {error}"))
}

/// Scope and strategy where they are known values; defaults where they are absent (`service-seed.md` §2.4).
pub(crate) fn duplicate_rule(
    scope: Option<DuplicateScope>,
    strategy: Option<DuplicateStrategy>,
) -> Result<DuplicateRule, ApiError> {
    let default = DuplicateRule::default();
    let rule = DuplicateRule { scope: scope.unwrap_or(default.scope), strategy: strategy.unwrap_or(default.strategy) };
    if let DuplicateScope::Other(value) = &rule.scope {
        let message = "duplicateValidationScope must be ENTIRE_PORTAL or EXACT_FOLDER";
        return Err(ApiError::validation(message).with_context("duplicateValidationScope", value));
    }
    if let DuplicateStrategy::Other(value) = &rule.strategy {
        let message = "duplicateValidationStrategy must be NONE, REJECT or RETURN_EXISTING";
        return Err(ApiError::validation(message).with_context("duplicateValidationStrategy", value));
    }
    Ok(rule)
}
