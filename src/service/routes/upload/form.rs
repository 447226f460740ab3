//! The multipart form of an upload, read as it comes: parts in any order, the file straight to the disk.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::RequestExt as _;
use axum::body::Body;
use axum::extract::multipart::{Field, MultipartError};
use axum::extract::{Multipart, Request};
use axum::http::{HeaderMap, StatusCode, header};
use futures::StreamExt as _;

use crate::service::error::ApiError;
use crate::service::intake::{Spool, Spooled};
use crate::service::policy;
use crate::service::state::AppState;

/// Everything that is not the file: boundaries, headers and fields.
const MAX_OVERHEAD_BYTES: u64 = (policy::MAX_PARTS * policy::MAX_FIELD_BYTES) as u64;

pub(super) struct Form {
    file: Spooled,
    /// The name in the part's own header.
    pub(super) file_name: Option<String>,
    fields: HashMap<String, String>,
}

impl Form {
    /// Reads the whole body. The file's bytes are durable when this returns, and go if the form is dropped.
    pub(super) async fn read(state: &AppState, request: Request) -> Result<Self, ApiError> {
        check_head(request.headers())?;
        let (request, waiting) = bounded(request);
        let mut parts: Multipart = request.extract().await.map_err(|_| not_a_form())?;
        let mut file = None;
        let mut fields = HashMap::new();
        let mut count = 0;
        while let Some(part) = parts.next_field().await.map_err(|error| unreadable(&error))? {
            waiting.parsed();
            count += 1;
            if count > policy::MAX_PARTS {
                let message = format!("a form must not have more than {} parts", policy::MAX_PARTS);
                return Err(ApiError::validation(message));
            }
            let name = part.name().unwrap_or_default().to_owned();
            if name == "file" {
                if file.is_some() {
                    return Err(ApiError::validation("exactly one file can be uploaded in a request"));
                }
                let file_name = part.file_name().map(str::to_owned);
                file = Some((spool(state, part, &waiting).await?, file_name));
            } else {
                let value = text(&name, part, &waiting).await?;
                if fields.insert(name.clone(), value).is_some() {
                    return Err(ApiError::validation(format!("the field {name} is given twice")));
                }
            }
        }
        let (file, file_name) = file.ok_or_else(|| ApiError::validation("file parameter is required"))?;
        Ok(Self { file, file_name, fields })
    }

    /// The field's text, if it was sent.
    pub(super) fn field(&self, name: &str) -> Option<&str> {
        self.fields.get(name).map(String::as_str)
    }

    pub(super) fn spooled(&self) -> &Spooled {
        &self.file
    }

    pub(super) fn into_file(self) -> Spooled {
        self.file
    }
}

/// Refuses another media type, and a declared length that cannot be right, before a byte is read.
fn check_head(headers: &HeaderMap) -> Result<(), ApiError> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media_type = text(header::CONTENT_TYPE).split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if media_type != "multipart/form-data" {
        return Err(not_a_form());
    }
    match text(header::CONTENT_LENGTH).parse::<u64>() {
        Ok(length) if length > policy::MAX_FILE_BYTES + MAX_OVERHEAD_BYTES => {
            let message = format!("the file is larger than {} bytes", policy::MAX_FILE_BYTES);
            Err(ApiError::new(policy::OVER_SIZE, message).with_category("VALIDATION_ERROR"))
        }
        _ => Ok(()),
    }
}

fn not_a_form() -> ApiError {
    ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "the body must be multipart/form-data with a boundary")
}

/// Counts the bytes that went into the parser since something came out of it.
#[derive(Clone, Default)]
struct Waiting(Arc<AtomicUsize>);

impl Waiting {
    fn parsed(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    fn fed(&self, bytes: usize) -> Result<(), std::io::Error> {
        let before = self.0.fetch_add(bytes, Ordering::Relaxed);
        if before + bytes <= policy::MAX_UNPARSED_BYTES {
            return Ok(());
        }
        Err(std::io::Error::other("the headers of a part do not end"))
    }
}

/// The request with a body that fails when the parser would have to keep too much of it: it sets no bound itself.
fn bounded(request: Request) -> (Request, Waiting) {
    let waiting = Waiting::default();
    let count = waiting.clone();
    let request = request.map(|body| {
        Body::from_stream(body.into_data_stream().map(move |chunk| {
            let chunk = chunk?;
            count.fed(chunk.len()).map_err(axum::Error::new)?;
            Ok::<_, axum::Error>(chunk)
        }))
    });
    (request, waiting)
}

async fn spool(state: &AppState, mut part: Field<'_>, waiting: &Waiting) -> Result<Spooled, ApiError> {
    let mut spool = Spool::open(&state.blobs).await?;
    while let Some(chunk) = part.chunk().await.map_err(|error| unreadable(&error))? {
        waiting.parsed();
        spool.write(chunk).await?;
    }
    Ok(spool.finish().await?)
}

async fn text(name: &str, mut part: Field<'_>, waiting: &Waiting) -> Result<String, ApiError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = part.chunk().await.map_err(|error| unreadable(&error))? {
        waiting.parsed();
        if bytes.len() + chunk.len() > policy::MAX_FIELD_BYTES {
            let message = format!("the field {name} is larger than {} bytes", policy::MAX_FIELD_BYTES);
            return Err(ApiError::validation(message));
        }
        bytes.extend_from_slice(&chunk);
    }
    String::from_utf8(bytes).map_err(|_| ApiError::validation(format!("the field {name} is not UTF-8")))
}

/// A form that is malformed or was cut.
fn unreadable(error: &MultipartError) -> ApiError {
    ApiError::validation(format!("the form could not be read: {}", error.body_text()))
}
