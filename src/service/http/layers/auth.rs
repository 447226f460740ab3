//! Authorization: every API route requires a token with one of its scopes, and refuses calls from
//! foreign web pages.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use jiff::Timestamp;
use utoipa_axum::router::UtoipaMethodRouter;

use super::rate_limit::RateLimiter;
use super::{database, host};
use crate::api::model::time;
use crate::service::access::scopes::{AnyOf, Principal};
use crate::service::access::tokens::TokenRejection;
use crate::service::answer::error::ApiError;
use crate::service::domain::version::ApiVersion;
use crate::service::http::known_names::KnownNames;
use crate::service::http::openapi::{operations, secure};
use crate::service::state::AppState;

/// The guard in front of the routes of one version, a single layer per route.
#[derive(Clone)]
pub(crate) struct ScopeGuard {
    pub(crate) state: AppState,
    pub(crate) limiter: Option<RateLimiter>,
    pub(crate) version: ApiVersion,
    /// Set to refuse names that a call does not accept.
    pub(crate) is_strict: bool,
}

impl ScopeGuard {
    /// Requires one of these scopes for a route. Its handler gets the caller and the version.
    pub(crate) fn needs(
        &self,
        scopes: &'static AnyOf,
        (schemas, mut paths, route): UtoipaMethodRouter<AppState>,
    ) -> UtoipaMethodRouter<AppState> {
        paths
            .paths
            .values_mut()
            .flat_map(operations)
            .for_each(|operation| secure(operation, scopes.named));
        let known = self
            .is_strict
            .then(|| Arc::new(KnownNames::of(&paths, &schemas)));
        let route = route.route_layer(from_fn_with_state((self.clone(), scopes, known), pass));
        (schemas, paths, route)
    }
}

/// Lets no request pass once the database is lost.
async fn pass(
    State((guard, scopes, known)): State<(ScopeGuard, &'static AnyOf, Option<Arc<KnownNames>>)>,
    mut request: Request,
    next: Next,
) -> Response {
    let state = &guard.state;
    if let Some(refusal) =
        database::loss(state).or_else(|| host::foreign_origin(&request, &state.base_url))
    {
        return refusal.into_response();
    }
    let caller = match caller(state, request.headers()) {
        Ok(caller) => caller,
        Err(refusal) => return refusal.into_response(),
    };
    let (name, maker) = (caller.name.clone(), Extension(Arc::clone(&caller)));
    let answer = async {
        if let Err(missing) = caller.require(scopes) {
            return ApiError::from(missing).into_response();
        }
        if let Some(known) = known {
            if let Err(unknown) = known.check_query(request.uri().query()) {
                return unknown.into_response();
            }
            request.extensions_mut().insert(known);
        }
        request.extensions_mut().insert(caller);
        request.extensions_mut().insert(guard.version);
        next.run(request).await
    };
    let answer = match &guard.limiter {
        Some(limiter) => limiter.count(&name, answer).await,
        None => answer.await,
    };
    (maker, answer).into_response()
}

pub(crate) fn caller(state: &AppState, headers: &HeaderMap) -> Result<Arc<Principal>, ApiError> {
    let now = state.clock.now();
    match bearer(headers).map(|token| state.credentials.caller(token, now)) {
        Some(Ok(caller)) => Ok(caller),
        Some(Err(TokenRejection::Expired(end))) => Err(expired(end, now)),
        Some(Err(TokenRejection::Unknown)) | None => Err(unauthenticated()),
    }
}

/// The scheme is compared case-insensitively, as RFC 9110 requires.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers
        .get(header::AUTHORIZATION)?
        .to_str()
        .ok()?
        .split_once(' ')?;
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
