//! A response with a file's bytes, whole or a range, with headers that keep them from acting as a
//! page of this site (`guarantees.md#bytes-of-users-do-not-act-as-pages`).

use std::fmt::Write as _;
use std::ops::Range;

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::service::answer::error::ApiError;
use crate::service::content::resize::Resized;
use crate::service::http::routes::stored_bytes::{self, Unreadable};
use crate::service::ingest::Charset;
use crate::service::state::AppState;
use crate::service::store::FileRecord;

/// The types that a browser may display; everything else is saved. None of them can contain a
/// script.
const INLINE: [&str; 19] = [
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    "image/bmp",
    "image/avif",
    "image/tiff",
    "image/x-icon",
    "image/vnd.microsoft.icon",
    "audio/mpeg",
    "audio/ogg",
    "audio/wav",
    "audio/x-wav",
    "audio/x-flac",
    "audio/m4a",
    "video/mp4",
    "video/webm",
    "video/ogg",
    "text/plain",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Delivery {
    /// An address that works without a token, even from other sites' pages; types that are safe to
    /// display are inline.
    Address,
    /// A request with the token, answered as an attachment.
    Download,
}

impl Delivery {
    /// The value of `Cross-Origin-Resource-Policy` (Fetch standard), which limits the pages that
    /// may embed the bytes.
    fn resource_policy(self) -> &'static str {
        match self {
            Self::Address => "cross-origin",
            Self::Download => "same-origin",
        }
    }
}

/// Responds with the requested bytes; if they have just been replaced, with the new ones.
pub(super) async fn send(
    state: &AppState,
    file: &FileRecord,
    request: &Parts,
    delivery: Delivery,
) -> Result<Response, ApiError> {
    match bytes_of(state, file, request, delivery).await {
        Err(Unreadable::Gone) => {
            let now = stored_bytes::again(state, file).await?;
            Ok(bytes_of(state, &now, request, delivery).await?)
        }
        sent => Ok(sent?),
    }
}

async fn bytes_of(
    state: &AppState,
    file: &FileRecord,
    Parts {
        method,
        headers: request,
        ..
    }: &Parts,
    delivery: Delivery,
) -> Result<Response, Unreadable> {
    let etag = format!("\"{}\"", file.content.md5);
    if is_held(request, &etag) {
        return Ok((StatusCode::NOT_MODIFIED, [(header::ETAG, etag)]).into_response());
    }
    let asked = request
        .get(header::RANGE)
        .and_then(|value| value.to_str().ok());
    // A range of an older version is useless to a client that holds the first part of it.
    let is_current = request
        .get(header::IF_RANGE)
        .is_none_or(|tag| tag.as_bytes() == etag.as_bytes());
    let range = match asked
        .filter(|_| is_current)
        .map(|text| byte_range(text, file.content.size))
    {
        None | Some(RequestedRange::Whole) => None,
        Some(RequestedRange::Part(range)) => Some(range),
        Some(RequestedRange::Nothing) => {
            let size = format!("bytes */{}", file.content.size);
            let refusal = ApiError::new(
                StatusCode::RANGE_NOT_SATISFIABLE,
                "the file has no byte in that range",
            );
            return Ok(([(header::CONTENT_RANGE, size)], refusal).into_response());
        }
    };
    let (status, part) = match range.clone() {
        Some(range) => (StatusCode::PARTIAL_CONTENT, range),
        None => (StatusCode::OK, 0..file.content.size),
    };
    let length = part.end - part.start;
    // The row has all headers, so the bytes are not read.
    let bytes = if method == Method::HEAD {
        Body::empty()
    } else {
        stored_bytes::part(state, file, part).await?
    };
    let mut response = (status, bytes).into_response();
    let headers = response.headers_mut();
    keep_from_acting(headers, delivery);
    headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    let kind =
        if delivery == Delivery::Address && INLINE.contains(&file.content.media_type.as_str()) {
            "inline"
        } else {
            "attachment"
        };
    let content_range = range
        .map(|Range { start, end }| format!("bytes {start}-{}/{}", end - 1, file.content.size));
    for (name, value) in [
        (header::CONTENT_TYPE, Some(content_type(file))),
        (
            header::CONTENT_DISPOSITION,
            Some(content_disposition(kind, &file.full_name)),
        ),
        (header::CONTENT_LENGTH, Some(length.to_string())),
        (header::ETAG, Some(etag)),
        (header::CONTENT_RANGE, content_range),
    ] {
        if let Some(Ok(value)) = value.map(HeaderValue::try_from) {
            headers.insert(name, value);
        }
    }
    Ok(response)
}

/// Returns `true` if the client already has these bytes (RFC 9110 §13.1.2).
fn is_held(request: &HeaderMap, etag: &str) -> bool {
    let lists = request
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok());
    let mut tags = lists.flat_map(|list| list.split(',')).map(str::trim);
    tags.any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == etag)
}

/// Responds to a signed address with a resized copy, which a browser may display.
pub(super) fn send_copy(file: &FileRecord, copy: Resized) -> Response {
    let name = format!("{}.{}", file.stem, copy.extension);
    let headers = [
        (header::CONTENT_TYPE, copy.media_type.to_owned()),
        (header::CONTENT_LENGTH, copy.size.to_string()),
    ];
    let mut response = (headers, Body::from_stream(copy.into_bytes())).into_response();
    keep_from_acting(response.headers_mut(), Delivery::Address);
    if let Ok(value) = HeaderValue::try_from(content_disposition("inline", &name)) {
        response
            .headers_mut()
            .insert(header::CONTENT_DISPOSITION, value);
    }
    response
}

fn keep_from_acting(headers: &mut HeaderMap, delivery: Delivery) {
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (
            header::CONTENT_SECURITY_POLICY,
            "sandbox; default-src 'none'",
        ),
        (header::REFERRER_POLICY, "no-referrer"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert(
        "cross-origin-resource-policy",
        HeaderValue::from_static(delivery.resource_policy()),
    );
}

/// Text has its encoding; pages and scripts are served as plain text, as the live hosts do
/// (`contract.md#files`).
fn content_type(file: &FileRecord) -> String {
    let acts = ["html", "javascript", "ecmascript"]
        .iter()
        .any(|kind| file.content.media_type.contains(kind));
    let media_type = if acts {
        "text/plain"
    } else {
        file.content.media_type.as_str()
    };
    let is_text = media_type.starts_with("text/");
    let charset = file
        .content
        .encoding
        .as_deref()
        .filter(|_| is_text)
        .and_then(|label| Charset::of_hint(label).ok()?);
    match charset.map(Charset::into_label) {
        // A few labels contain a colon and have to be quoted.
        Some(label) if label.contains(':') => format!("{media_type}; charset=\"{label}\""),
        Some(label) => format!("{media_type}; charset={label}"),
        None => media_type.to_owned(),
    }
}

/// The characters to encode; RFC 8187 allows the four removed here.
const ATTRIBUTE: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Gives the name twice: in ASCII for old clients, and in UTF-8 (RFC 6266).
fn content_disposition(kind: &str, name: &str) -> String {
    let ascii: String = name
        .chars()
        .map(|c| {
            if c.is_ascii() && !matches!(c, '"' | '\\') {
                c
            } else {
                '_'
            }
        })
        .collect();
    let mut value = format!("{kind}; filename=\"{ascii}\"");
    let _ = write!(
        value,
        "; filename*=UTF-8''{}",
        utf8_percent_encode(name, ATTRIBUTE)
    );
    value
}

#[derive(Debug, PartialEq, Eq)]
enum RequestedRange {
    Whole,
    Part(Range<u64>),
    /// A range that contains no byte of the file.
    Nothing,
}

/// Parses a single range; several ranges and invalid ones count as the whole file (RFC 9110 §14.2).
fn byte_range(text: &str, size: u64) -> RequestedRange {
    let Some((first, last)) = text
        .strip_prefix("bytes=")
        .and_then(|spec| spec.split_once('-'))
    else {
        return RequestedRange::Whole;
    };
    let range = match (first.trim().parse::<u64>(), last.trim().parse::<u64>()) {
        (Ok(first), Ok(last)) if first <= last => first..size.min(last.saturating_add(1)),
        (Ok(first), Err(_)) if last.trim().is_empty() => first..size,
        (Err(_), Ok(suffix)) if first.trim().is_empty() => size.saturating_sub(suffix)..size,
        _ => return RequestedRange::Whole,
    };
    if range.is_empty() {
        RequestedRange::Nothing
    } else {
        RequestedRange::Part(range)
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::first_bytes("bytes=0-3", RequestedRange::Part(0..4))]
    #[case::to_the_end("bytes=7-", RequestedRange::Part(7..10))]
    #[case::last_bytes("bytes=-4", RequestedRange::Part(6..10))]
    #[case::more_than_there_is("bytes=5-99", RequestedRange::Part(5..10))]
    #[case::past_the_end("bytes=10-", RequestedRange::Nothing)]
    #[case::no_last_bytes("bytes=-0", RequestedRange::Nothing)]
    #[case::backwards("bytes=5-2", RequestedRange::Whole)]
    #[case::several("bytes=0-1,4-5", RequestedRange::Whole)]
    #[case::another_unit("lines=1-2", RequestedRange::Whole)]
    fn ranges_are_read(#[case] text: &str, #[case] asked: RequestedRange) {
        assert_eq!(byte_range(text, 10), asked);
    }

    #[test]
    fn names_cannot_break_out_of_the_header() {
        let value = content_disposition("attachment", "a\"; x=\"ü.png");
        assert_eq!(
            value,
            "attachment; filename=\"a_; x=__.png\"; filename*=UTF-8''a%22%3B%20x%3D%22%C3%BC.png"
        );
    }
}
