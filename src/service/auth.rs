//! Who may call: every API route asks for the bearer token, and for no foreign web page behind the call.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::error::ApiError;
use super::host;
use super::state::AppState;

/// Lets a request pass that carries the token.
pub(crate) async fn require_token(State(state): State<AppState>, request: Request, next: Next) -> Response {
    if let Some(refusal) = host::foreign_origin(&request, &state.base_url) {
        return refusal.into_response();
    }
    match bearer(request.headers()) {
        Some(token) if state.credentials.accepts(token) => next.run(request).await,
        _ => unauthenticated().into_response(),
    }
}

/// The scheme is compared in any case, as RFC 9110 asks.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn unauthenticated() -> ApiError {
    ApiError::new(
        StatusCode::UNAUTHORIZED,
        "Authentication credentials not found. This API supports OAuth 2.0 authentication: send a valid access token \
         in the header Authorization: Bearer <ACCESS_TOKEN>",
    )
    .with_category("INVALID_AUTHENTICATION")
}
