//! Checked input: ids from the path, the query string, JSON bodies. Invalid input gives an API
//! error.

use std::borrow::Cow;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use jiff::Timestamp;
use serde::de::DeserializeOwned;

use super::known_names::KnownNames;
use crate::api::model::time;
use crate::service::answer::error::ApiError;
use crate::service::store::{FileKey, FolderKey};

impl<S: Send + Sync> FromRequestParts<S> for FileKey {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let InPath::<String>(text) = InPath::from_request_parts(parts, state).await?;
        Ok(Self(id(&text, "fileId")?))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for FolderKey {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let InPath::<String>(text) = InPath::from_request_parts(parts, state).await?;
        Ok(Self(id(&text, "folderId")?))
    }
}

/// A segment of the path, or several in a tuple: percent-decoded, encoded slashes included
/// (`contract.md#folders`).
pub(crate) struct InPath<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for InPath<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let read = Path::from_request_parts(parts, state).await;
        read.map(|Path(text)| Self(text))
            .map_err(|_| ApiError::validation("the path is not valid UTF-8"))
    }
}

/// Parses the id in a path or field: a number above 0 (`contract.md#folders`,
/// `contract.md#errors`).
pub(crate) fn id(text: &str, parameter: &str) -> Result<i64, ApiError> {
    match text.parse::<i64>() {
        Ok(id) if id > 0 => Ok(id),
        Ok(_) => Err(ApiError::validation("id must be > 0").with_context("id", text)),
        Err(_) => Err(ApiError::new(
            StatusCode::BAD_REQUEST,
            format!("Unable to parse value for path parameter: {parameter}"),
        )),
    }
}

/// The query string. Unknown names are ignored, as the live service does, unless `KnownNames` has
/// refused them.
pub(crate) struct RawQuery(Vec<(String, String)>);

impl<S: Send + Sync> FromRequestParts<S> for RawQuery {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let query = parts.uri.query().unwrap_or_default();
        Ok(Self(
            url::form_urlencoded::parse(query.as_bytes())
                .map(|(k, v)| (k.into_owned(), v.into_owned()))
                .collect(),
        ))
    }
}

impl RawQuery {
    /// Returns the first value that is not empty.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(key, value)| key == name && !value.is_empty())
            .map(|(_, value)| value.as_str())
    }

    /// Returns all values, from repeated names and comma-separated lists.
    pub(crate) fn list(&self, name: &str) -> Vec<&str> {
        let values = self
            .0
            .iter()
            .filter(|(key, _)| key == name)
            .flat_map(|(_, value)| value.split(','));
        values
            .map(str::trim)
            .filter(|value| !value.is_empty())
            .collect()
    }

    pub(crate) fn number(&self, name: &str) -> Result<Option<i64>, ApiError> {
        self.parsed(name, "a whole number", |text| text.parse().ok())
    }

    pub(crate) fn numbers(&self, name: &str) -> Result<Vec<i64>, ApiError> {
        self.list(name)
            .into_iter()
            .map(|text| text.parse().map_err(|_| bad(name, "a whole number", text)))
            .collect()
    }

    /// Parses `true` or `false` in any case: one official client sends `True`.
    pub(crate) fn flag(&self, name: &str) -> Result<Option<bool>, ApiError> {
        self.parsed(name, "true or false", |text| {
            text.to_ascii_lowercase().parse().ok()
        })
    }

    /// Parses epoch milliseconds or ISO 8601.
    pub(crate) fn time(&self, name: &str) -> Result<Option<Timestamp>, ApiError> {
        self.parsed(name, "a time", time::parse)
    }

    fn parsed<T>(
        &self,
        name: &str,
        what: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, ApiError> {
        self.text(name)
            .map(|text| parse(text).ok_or_else(|| bad(name, what, text)))
            .transpose()
    }
}

fn bad(name: &str, what: &str, value: &str) -> ApiError {
    ApiError::validation(format!("{name} must be {what}")).with_context(name, value)
}

pub(crate) struct JsonBody<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        if !is_json(request.headers()) {
            return Err(ApiError::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "the body must be application/json",
            ));
        }
        let unreadable = |rejection: BytesRejection| {
            ApiError::new(rejection.status(), "the body could not be read")
                .with_category("VALIDATION_ERROR")
        };
        let known = request.extensions().get::<Arc<KnownNames>>().cloned();
        let body = Bytes::from_request(request, state)
            .await
            .map_err(unreadable)?;
        if let Some(known) = known {
            known.check_body(&parse_json(&body, "the body")?)?;
        }
        parse_json(&body, "the body").map(Self)
    }
}

/// Parses a JSON object; `what` names its source in errors.
pub(crate) fn parse_json<T: DeserializeOwned>(text: &[u8], what: &str) -> Result<T, ApiError> {
    // A list would be read as the fields in their order.
    if !text.trim_ascii_start().starts_with(b"{") {
        return Err(ApiError::validation(format!(
            "{what} must be a JSON object"
        )));
    }
    serde_json::from_slice(text)
        .map_err(|error| ApiError::validation(format!("{what} is not valid: {error}")))
}

/// A missing content type counts as JSON, too.
fn is_json(headers: &HeaderMap) -> bool {
    let Some(value) = headers.get(header::CONTENT_TYPE) else {
        return true;
    };
    let essence = value
        .to_str()
        .unwrap_or_default()
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    essence == "application/json" || essence.ends_with("+json")
}

/// Reads a JSON object and its `expiresAt`; an invalid time must not pass for an absent one. `what`
/// is for errors.
pub(crate) fn with_expiry<T: DeserializeOwned>(
    value: serde_json::Value,
    what: &str,
) -> Result<(T, Option<Timestamp>), ApiError> {
    let expires_at = json_time(value.get("expiresAt"), "expiresAt")?;
    let read = serde_json::from_value(value);
    Ok((
        read.map_err(|error| ApiError::validation(format!("{what} is not valid: {error}")))?,
        expires_at,
    ))
}

/// Parses a time field of a JSON object; absent and null are `None`.
fn json_time(value: Option<&serde_json::Value>, name: &str) -> Result<Option<Timestamp>, ApiError> {
    let text: Cow<'_, str> = match value {
        None | Some(serde_json::Value::Null) => return Ok(None),
        Some(serde_json::Value::String(text)) => text.into(),
        Some(other) => other.to_string().into(),
    };
    time::parse(&text)
        .map(Some)
        .ok_or_else(|| bad(name, "a time", &text))
}
