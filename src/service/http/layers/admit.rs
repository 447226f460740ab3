//! What every request meets on its way in, in one layer: each copies all that lie within it for each request.

use axum::extract::{DefaultBodyLimit, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::pace::BodyPace;
use super::{faults, head, host, linger, trace};
use crate::service::http::faults::Faults;
use crate::service::policy;
use crate::service::state::AppState;

/// Measures and names the request, refuses what is for another host or too long, bounds how large a body may be and how
/// slowly it may come, reads on what is left of it, and lets faults act around everything that has an error form.
pub(crate) async fn admit(State((state, rules)): State<(AppState, Faults)>, request: Request, next: Next) -> Response {
    let measured = state.metrics.begin(trace::route(&request), request.method());
    let answer = trace::correlate(request, async |request| {
        let pace = BodyPace::default();
        let mut request = linger::over_body(request.map(|body| pace.demand(body)));
        if let Some(refusal) = host::foreign_host(&request, &state.base_url).or_else(|| head::excess(&request)) {
            return refusal.into_response();
        }
        DefaultBodyLimit::max(policy::MAX_JSON_BYTES).apply(&mut request);
        pace.settle(faults::around(&rules, request, next).await)
    })
    .await;
    measured.end(answer.status());
    answer
}
