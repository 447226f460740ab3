//! Who may call: every API route asks for a token with one of its scopes, and for no foreign web page behind the call.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse as _, Response};
use jiff::Timestamp;
use utoipa_axum::router::UtoipaMethodRouter;

use super::{database, host};
use crate::api::model::time;
use crate::service::access::scopes::{AnyOf, Caller};
use crate::service::access::tokens::Refused;
use crate::service::answer::error::ApiError;
use crate::service::http::openapi::{operations, secure};
use crate::service::state::AppState;

/// Lets a request pass that carries a token, and tells it whose; none once the database is lost.
pub(crate) async fn require_token(State(state): State<AppState>, mut request: Request, next: Next) -> Response {
    if let Some(refusal) = database::loss(&state).or_else(|| host::foreign_origin(&request, &state.base_url)) {
        return refusal.into_response();
    }
    let now = state.clock.now();
    let caller = match bearer(request.headers()).map(|token| state.tokens.caller(token, now)) {
        Some(Ok(caller)) => caller.clone(),
        Some(Err(Refused::Expired(end))) => return expired(end, now).into_response(),
        Some(Err(Refused::Unknown)) | None => return unauthenticated().into_response(),
    };
    request.extensions_mut().insert(caller);
    next.run(request).await
}

/// A route for callers that hold one of these scopes. It must lie behind `require_token`.
pub(crate) fn needs(
    scopes: &'static AnyOf,
    (schemas, mut paths, route): UtoipaMethodRouter<AppState>,
) -> UtoipaMethodRouter<AppState> {
    paths.paths.values_mut().flat_map(operations).for_each(|operation| secure(operation, scopes.named));
    let route = route.route_layer(from_fn(async move |request: Request, next: Next| {
        let allowed = match request.extensions().get::<Caller>() {
            Some(caller) => caller.require(scopes).map_err(ApiError::from),
            None => Err(unauthenticated()),
        };
        match allowed {
            Ok(()) => next.run(request).await,
            Err(refusal) => refusal.into_response(),
        }
    }));
    (schemas, paths, route)
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

fn expired(end: Timestamp, now: Timestamp) -> ApiError {
    let seconds = now.duration_since(end).as_secs();
    let message = format!("The access token expired {seconds} second(s) ago; send a valid one");
    ApiError::new(StatusCode::UNAUTHORIZED, message)
        .with_category("EXPIRED_AUTHENTICATION")
        .with_context("expire time", time::to_iso(end))
}
