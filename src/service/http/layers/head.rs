//! Limits on the head of a request; larger ones are refused before any route sees them.

use axum::extract::Request;
use axum::http::StatusCode;

use crate::service::answer::error::ApiError;
use crate::service::policy;

/// The length of the separators in a header line.
const BETWEEN: usize = ": \r\n".len();

/// 414 if path and query together are longer than the policy allows, 431 if the head is
/// (`contract.md#errors`).
pub(super) fn excess(request: &Request) -> Option<ApiError> {
    let target = request
        .uri()
        .path_and_query()
        .map_or(0, |target| target.as_str().len());
    if target > policy::MAX_TARGET_BYTES {
        let message = format!(
            "path and query must not be longer than {} bytes",
            policy::MAX_TARGET_BYTES
        );
        return Some(ApiError::new(StatusCode::URI_TOO_LONG, message));
    }
    let headers = request
        .headers()
        .iter()
        .map(|(name, value)| name.as_str().len() + value.len() + BETWEEN);
    if target + headers.sum::<usize>() > policy::MAX_HEAD_BYTES {
        let message = format!(
            "the headers of a request must not be larger than {} bytes",
            policy::MAX_HEAD_BYTES
        );
        return Some(ApiError::new(
            StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            message,
        ));
    }
    None
}
