//! What those who operate a service ask it without a token: its figures, and whether it can do its work. No part of the API: no
//! fault and no budget concerns them, and the description does not have them.

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;

use super::faults::Faults;
use super::layers::admit::admit;
use super::layers::database;
use super::layers::trace::unknown_method;
use super::routes::health::health;
use crate::service::policy;
use crate::service::state::AppState;
use crate::service::store::{ServiceFlag, StoreError};

const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// On the listener of the API, the figures only where nobody else can see them.
pub(super) fn beside(api: Router, state: &AppState, shows_metrics: bool) -> Router {
    let probes = Router::new().route("/readyz", get(ready));
    let probes = if shows_metrics { probes.route("/metrics", get(metrics)) } else { probes };
    let probes = probes
        .method_not_allowed_fallback(unknown_method)
        .route_layer(from_fn_with_state((state.clone(), Faults::none()), admit))
        .with_state(state.clone());
    api.merge(probes)
}

/// On a listener of their own, which takes any name of a host: whoever operates the service decides who can reach it.
pub(crate) fn alone(state: &AppState) -> Router {
    Router::new()
        .route("/healthz", get(health))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .with_state(state.clone())
}

async fn metrics(State(state): State<AppState>) -> Response {
    let store = tokio::time::timeout(policy::PROBE_TIMEOUT, state.store.figures(state.clock.now())).await;
    let store = store.ok().and_then(Result::ok);
    match state.metrics.text(state.store.failures(), store.as_ref()) {
        Ok(text) => ([(header::CONTENT_TYPE, OPEN_METRICS)], text).into_response(),
        Err(std::fmt::Error) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// `ok`, or 503 and what is wrong in a line.
async fn ready(State(state): State<AppState>) -> Response {
    let checked = tokio::time::timeout(policy::PROBE_TIMEOUT, check(&state)).await;
    match checked.unwrap_or(Err("the store does not answer in time; see the log")) {
        Ok(()) => health().await.into_response(),
        Err(wrong) => (StatusCode::SERVICE_UNAVAILABLE, wrong).into_response(),
    }
}

/// Whether the database and the bucket can be read, and the directory written to.
async fn check(state: &AppState) -> Result<(), &'static str> {
    if database::loss(state).is_some() {
        return Err("the database is lost; see the log");
    }
    state.store.mark(ServiceFlag::TrustedTime).await.map_err(|error: StoreError| {
        tracing::warn!(%error, "the service is not ready");
        "the database cannot be read; see the log"
    })?;
    state.blobs.check_reach().await.map_err(|error| {
        tracing::warn!(%error, "the service is not ready");
        "the bucket cannot be read; see the log"
    })?;
    if !state.room.can_be_written_to().await {
        return Err("the data directory cannot be written to");
    }
    if state.room.is_held().await { Ok(()) } else { Err("the disk is full; only deletions are carried out") }
}
