//! The bound on a request's target: longer ones are refused before any route sees them.

use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::service::error::ApiError;
use crate::service::policy;

/// Answers 414 to a path and query that are longer together than the policy allows (`wire.md` §9).
pub(crate) async fn bound(request: Request, next: Next) -> Response {
    let length = request.uri().path_and_query().map_or(0, |target| target.as_str().len());
    if length > policy::MAX_TARGET_BYTES {
        let message = format!("path and query must not be longer than {} bytes", policy::MAX_TARGET_BYTES);
        return ApiError::new(StatusCode::URI_TOO_LONG, message).into_response();
    }
    next.run(request).await
}
