//! Probes for operators, without a token: metrics and readiness. They are not part of the API:
//! faults and quotas do not apply to them, and the OpenAPI document leaves them out.

use std::fmt::{self, Display};

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;

use super::faults::Faults;
use super::layers::admit::admit;
use super::layers::database;
use super::layers::trace::unknown_method;
use super::routes::health::health;
use crate::service::policy;
use crate::service::state::AppState;
use crate::service::store::ServiceFlag;

const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Adds the probes to the listener of the API; the metrics only if nobody else can see them.
pub(super) fn beside(api: Router, state: &AppState, shows_metrics: bool) -> Router {
    let probes = Router::new().route("/readyz", get(ready));
    let probes = if shows_metrics {
        probes.route("/metrics", get(metrics))
    } else {
        probes
    };
    let probes = probes
        .method_not_allowed_fallback(unknown_method)
        .route_layer(from_fn_with_state((state.clone(), Faults::none()), admit))
        .with_state(state.clone());
    api.merge(probes)
}

/// The probes on a listener of their own, for any host name: the operator decides who can reach it.
pub(crate) fn alone(state: &AppState) -> Router {
    Router::new()
        .route("/healthz", get(health))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .with_state(state.clone())
}

/// Leaves only the probes of the router, for connections that are accepted although all slots are
/// taken.
pub(super) fn only(router: Router) -> Router {
    router.layer(from_fn(async |request: Request, next: Next| {
        if matches!(request.uri().path(), "/healthz" | "/readyz" | "/metrics") {
            return next.run(request).await;
        }
        let headers = [(header::RETRY_AFTER, "1"), (header::CONNECTION, "close")];
        (StatusCode::SERVICE_UNAVAILABLE, headers).into_response()
    }))
}

async fn metrics(State(state): State<AppState>) -> Response {
    let left_out = |error: &dyn Display| tracing::warn!(%error, "a scrape goes without the figures of the store");
    let answer = tokio::time::timeout(
        policy::PROBE_TIMEOUT,
        state.store.figures(state.clock.now()),
    )
    .await;
    let answer = answer.inspect_err(|late| left_out(late)).ok();
    let store = answer.and_then(|figures| figures.inspect_err(|error| left_out(error)).ok());
    match state.metrics.text(state.store.failures(), store.as_ref()) {
        Ok(text) => ([(header::CONTENT_TYPE, OPEN_METRICS)], text).into_response(),
        Err(fmt::Error) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// `ok`, or 503 and one line with the reason.
async fn ready(State(state): State<AppState>) -> Response {
    let checked = tokio::time::timeout(policy::PROBE_TIMEOUT, check(&state)).await;
    match checked.unwrap_or_else(|late| {
        Err(logged(
            &late,
            "the store does not answer in time; see the log",
        ))
    }) {
        Ok(()) => health().await.into_response(),
        Err(wrong) => (StatusCode::SERVICE_UNAVAILABLE, wrong).into_response(),
    }
}

/// Logs the error, which must not appear in the public response.
fn logged(error: &dyn Display, wrong: &'static str) -> &'static str {
    tracing::warn!(%error, "the service is not ready");
    wrong
}

/// Checks that the database and the bucket can be read, the directory is writable, and the disk has
/// room.
async fn check(state: &AppState) -> Result<(), &'static str> {
    if state.stopping.is_cancelled() {
        return Err("the service is stopping");
    }
    if database::loss(state).is_some() {
        return Err("the database is lost; see the log");
    }
    let mark = state.store.mark(ServiceFlag::TrustedTime).await;
    mark.map_err(|error| logged(&error, "the database cannot be read; see the log"))?;
    let reached = state.blobs.check_reach().await;
    reached.map_err(|error| logged(&error, "the bucket cannot be read; see the log"))?;
    if !state.room.can_be_written_to().await {
        return Err("the data directory cannot be written to");
    }
    if state.room.is_held().await {
        Ok(())
    } else {
        Err("the disk is full; only deletions are carried out")
    }
}
