//! The steps that every request passes first, in a single layer, since each layer copies those
//! inside it per request.

use axum::extract::{DefaultBodyLimit, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::pace::BodyPace;
use super::{faults, head, host, linger, trace};
use crate::service::http::faults::Faults;
use crate::service::policy;
use crate::service::state::AppState;

/// Measures and identifies the request, refuses requests for another host and oversized heads,
/// limits the size and pace of the body, drains the rest of it, and injects faults around
/// everything that returns API errors.
pub(crate) async fn admit(
    State((state, rules)): State<(AppState, Faults)>,
    request: Request,
    next: Next,
) -> Response {
    let measured = state
        .metrics
        .begin(trace::route(&request), request.method());
    let answer = trace::correlate(request, async |request| {
        let pace = BodyPace::default();
        let rate = state.connections.min_upload_rate;
        let mut request = linger::over_body(request.map(|body| pace.demand(body, rate)));
        if let Some(refusal) =
            host::foreign_host(&request, &state.base_url).or_else(|| head::excess(&request))
        {
            return refusal.into_response();
        }
        DefaultBodyLimit::max(policy::MAX_JSON_BYTES).apply(&mut request);
        pace.settle(faults::around(&rules, request, next).await)
    })
    .await;
    measured.end(answer.status());
    answer
}
