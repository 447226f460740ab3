//! What every request meets on its way in, in one layer, since each layer costs a request a few allocations.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::pace::Pace;
use super::{head, host, linger};
use crate::service::state::AppState;

/// Refuses what is for another host or too long, bounds how slowly a body may come, and reads on what is left of it.
pub(crate) async fn admit(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let pace = Pace::default();
    let request = linger::over_body(request.map(|body| pace.demand(body)));
    match host::foreign_host(&request, &state.base_url).or_else(|| head::excess(&request)) {
        Some(refusal) => refusal.into_response(),
        None => pace.settle(next.run(request).await),
    }
}
