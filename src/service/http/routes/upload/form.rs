//! The multipart form of an upload, read as it arrives: parts in any order, the file straight to
//! the disk.

use std::collections::HashMap;
use std::sync::Arc;

use axum::RequestExt as _;
use axum::extract::multipart::Field;
use axum::extract::{Multipart, Request};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use serde_json::Value;

use super::outside::Outside;
use crate::service::answer::error::ApiError;
use crate::service::http::known_names::KnownNames;
use crate::service::ingest::{Spool, Spooled, too_large};
use crate::service::policy;
use crate::service::state::AppState;

/// The limit for everything except the file: boundaries, headers and fields.
const MAX_OVERHEAD_BYTES: u64 = (policy::MAX_PARTS * policy::MAX_FIELD_BYTES) as u64;

pub(super) struct UploadBody {
    pub(super) file: Spooled,
    /// The name in the header of the part.
    pub(super) file_name: Option<String>,
    fields: HashMap<String, String>,
    /// Present if names that the call does not accept are refused.
    known: Option<Arc<KnownNames>>,
}

impl UploadBody {
    /// Reads the whole body. The file's bytes are durable when this returns, and are removed if the
    /// form is dropped.
    pub(super) async fn read(state: &AppState, request: Request) -> Result<Self, ApiError> {
        let boundary = check_head(request.headers(), state.max_file_bytes)?;
        let known = request.extensions().get::<Arc<KnownNames>>().cloned();
        let (head, body) = request.into_parts();
        let (outside, body) = Outside::bound(body, &boundary);
        let request = Request::from_parts(head, body);
        let mut parts: Multipart = request.extract().await.map_err(|_| not_a_form())?;
        let mut file = None;
        let mut fields = HashMap::new();
        let mut count = 0;
        while let Some(part) = parts
            .next_field()
            .await
            .map_err(|error| unreadable(&error.body_text()))?
        {
            outside.parsed();
            count += 1;
            if count > policy::MAX_PARTS {
                let message = format!("a form must not have more than {} parts", policy::MAX_PARTS);
                return Err(ApiError::validation(message));
            }
            let name = name(&part)?;
            known
                .as_ref()
                .map_or(Ok(()), |known| known.check_field(&name))?;
            if name == "file" {
                if file.is_some() {
                    return Err(ApiError::validation(
                        "exactly one file can be uploaded in a request",
                    ));
                }
                let file_name = part.file_name().map(str::to_owned);
                file = Some((spool(state, part, &outside).await?, file_name));
            } else {
                let value = text(&name, part, &outside).await?;
                if fields.insert(name.clone(), value).is_some() {
                    return Err(ApiError::validation(format!(
                        "the field {name} is given twice"
                    )));
                }
            }
        }
        outside
            .finish()
            .await
            .map_err(|error| unreadable(&error.to_string()))?;
        let (spool, file_name) =
            file.ok_or_else(|| ApiError::validation("file parameter is required"))?;
        // Not before the rest has arrived: a slow client must not hold resources that others wait
        // for.
        Ok(Self {
            file: spool.finish().await?,
            file_name,
            fields,
            known,
        })
    }

    /// Refuses unknown keys in the JSON of a field, if unknown names are refused.
    pub(super) fn check_text(&self, field: &str, value: &Value) -> Result<(), ApiError> {
        self.known
            .as_ref()
            .map_or(Ok(()), |known| known.check_text(field, value))
    }

    pub(super) fn field(&self, name: &str) -> Option<&str> {
        self.fields.get(name).map(String::as_str)
    }
}

/// Returns the boundary. Refuses another media type, or an impossible declared length, before a
/// byte is read.
fn check_head(headers: &HeaderMap, limit: u64) -> Result<String, ApiError> {
    let text = |name| {
        headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    };
    let mut content_type = text(header::CONTENT_TYPE).split(';').map(str::trim);
    if !content_type
        .next()
        .unwrap_or_default()
        .eq_ignore_ascii_case("multipart/form-data")
    {
        return Err(not_a_form());
    }
    let mut parameters = content_type.filter_map(|parameter| parameter.split_once('='));
    let boundary = parameters
        .find(|(name, _)| name.eq_ignore_ascii_case("boundary"))
        .map(|(_, value)| value);
    let boundary = boundary
        .map(|value| value.trim_matches('"'))
        .filter(|value| !value.is_empty());
    let boundary = boundary.ok_or_else(not_a_form)?;
    if boundary.len() > policy::MAX_BOUNDARY_BYTES {
        let message = format!(
            "the boundary is longer than {} characters",
            policy::MAX_BOUNDARY_BYTES
        );
        return Err(ApiError::validation(message));
    }
    match text(header::CONTENT_LENGTH).parse::<u64>() {
        Ok(length) if length > limit.saturating_add(MAX_OVERHEAD_BYTES) => Err(too_large(limit)),
        _ => Ok(boundary.to_owned()),
    }
}

fn not_a_form() -> ApiError {
    ApiError::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "the body must be multipart/form-data with a boundary",
    )
}

fn name(part: &Field<'_>) -> Result<String, ApiError> {
    let headers = part.headers();
    let size: usize = headers
        .iter()
        .map(|(name, value)| name.as_str().len() + value.len())
        .sum();
    if size > policy::MAX_PART_HEADER_BYTES {
        let message = format!(
            "the headers of a part are larger than {} bytes",
            policy::MAX_PART_HEADER_BYTES
        );
        return Err(ApiError::validation(message));
    }
    let begins = |header: HeaderName, start: &[u8]| {
        let value = headers
            .get(header)
            .map(HeaderValue::as_bytes)
            .unwrap_or_default();
        value
            .get(..start.len())
            .is_some_and(|value| value.eq_ignore_ascii_case(start))
    };
    if begins(header::CONTENT_TYPE, b"multipart/mixed") {
        return Err(ApiError::validation(
            "a part must not hold a form of its own",
        ));
    }
    match part.name().filter(|name| !name.is_empty()) {
        Some(name) if begins(header::CONTENT_DISPOSITION, b"form-data") => Ok(name.to_owned()),
        _ => Err(ApiError::validation(
            "every part must have a name in its content-disposition: form-data",
        )),
    }
}

async fn spool(
    state: &AppState,
    mut part: Field<'_>,
    outside: &Outside,
) -> Result<Spool, ApiError> {
    let mut spool = Spool::open(state, state.max_file_bytes).await?;
    while let Some(chunk) = part
        .chunk()
        .await
        .map_err(|error| unreadable(&error.body_text()))?
    {
        outside.parsed();
        spool.write(chunk).await?;
    }
    Ok(spool)
}

async fn text(name: &str, mut part: Field<'_>, outside: &Outside) -> Result<String, ApiError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = part
        .chunk()
        .await
        .map_err(|error| unreadable(&error.body_text()))?
    {
        outside.parsed();
        if bytes.len() + chunk.len() > policy::MAX_FIELD_BYTES {
            let message = format!(
                "the field {name} is larger than {} bytes",
                policy::MAX_FIELD_BYTES
            );
            return Err(ApiError::validation(message));
        }
        bytes.extend_from_slice(&chunk);
    }
    String::from_utf8(bytes)
        .map_err(|_| ApiError::validation(format!("the field {name} is not UTF-8")))
}

fn unreadable(why: &str) -> ApiError {
    ApiError::validation(format!("the form could not be read: {why}"))
}
