//! The test API, below a path of its own and only if the service is started with it: reset, clock,
//! faults, and the request log. Faults, quotas and the request log do not apply to its calls.

mod controls;
mod request_log;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};

pub(crate) use controls::TestControls;
pub use request_log::ServedRequest;

use super::faults::Faults;
use super::layers::admit::admit;
use super::layers::auth::caller;
use super::layers::trace::{unknown_method, unknown_route};
use super::layers::{database, host};
use crate::service::access::scopes::Scopes;
use crate::service::answer::error::ApiError;
use crate::service::policy;
use crate::service::state::AppState;

pub(super) fn beside(api: Router, controls: TestControls, state: &AppState) -> Router {
    let recorded = api.layer(from_fn_with_state(
        (controls.requests.clone(), state.clock.clone()),
        request_log::record,
    ));
    let calls = Router::new()
        .route("/reset", post(controls::reset))
        .route("/clock", get(controls::clock).put(controls::set_clock))
        .route(
            "/clock",
            post(controls::advance_clock).delete(controls::restore_clock),
        )
        .route(
            "/faults",
            get(controls::faults)
                .put(controls::set_faults)
                .delete(controls::clear_faults),
        )
        .route(
            "/requests",
            get(controls::requests).delete(controls::clear_requests),
        )
        .method_not_allowed_fallback(unknown_method)
        // Not the fallback of the API, whose requests are logged.
        .fallback(unknown_route)
        .route_layer(from_fn_with_state(state.clone(), only_owner))
        .layer(from_fn_with_state((state.clone(), Faults::none()), admit))
        .with_state(controls);
    // A nested service also handles its prefix with a trailing slash.
    recorded.nest_service(policy::TEST_API_PREFIX, calls)
}

/// Requires the service's own token, or one with all scopes.
async fn only_owner(State(state): State<AppState>, request: Request, next: Next) -> Response {
    if let Some(refusal) =
        database::loss(&state).or_else(|| host::foreign_origin(&request, &state.base_url))
    {
        return refusal.into_response();
    }
    match caller(&state, request.headers()) {
        Ok(caller) if caller.scopes == Scopes::All => next.run(request).await,
        Ok(_) => ApiError::new(
            StatusCode::FORBIDDEN,
            "only a token with all scopes can call this",
        )
        .with_category("MISSING_SCOPES")
        .into_response(),
        Err(refusal) => refusal.into_response(),
    }
}
