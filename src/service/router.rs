//! Every route of the service, in one table.

use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{delete, get, post};
use axum::{Extension, Router};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;

use super::auth::require_token;
use super::extract::ApiVersion;
use super::host::require_own_host;
use super::policy;
use super::routes::{content, files, folders, search, upload};
use super::state::AppState;
use super::trace::{correlate, panicked, unknown_method, unknown_route};

pub(crate) fn router(state: &AppState) -> Router {
    let api = ApiVersion::ALL.into_iter().fold(Router::new(), |api, version| {
        api.nest(&format!("/files/{version}"), files_api().layer(Extension(version)))
    });
    Router::new()
        .merge(api.route_layer(from_fn_with_state(state.clone(), require_token)))
        .merge(content_routes())
        .route("/healthz", get(async || "ok"))
        .fallback(unknown_route)
        .method_not_allowed_fallback(unknown_method)
        .layer(RequestBodyTimeoutLayer::new(policy::BODY_IDLE_TIMEOUT))
        .layer(DefaultBodyLimit::max(policy::MAX_JSON_BYTES))
        .layer(from_fn_with_state(state.clone(), require_own_host))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn(correlate))
        .with_state(state.clone())
}

/// Files and folders, below `/files/{version}`.
fn files_api() -> Router<AppState> {
    Router::new()
        .route("/files", post(upload::upload).layer(DefaultBodyLimit::disable()))
        .route("/files/search", get(search::files))
        .route("/files/stat/{*path}", get(files::stat))
        .route("/files/{id}", get(files::details).patch(files::update).delete(files::delete))
        .route("/files/{id}", axum::routing::put(upload::replace).layer(DefaultBodyLimit::disable()))
        .route("/files/{id}/signed-url", get(files::signed_url))
        .route("/files/{id}/download", get(content::download))
        .route("/files/{id}/gdpr-delete", delete(files::erase))
        .route("/folders", post(folders::create))
        .route("/folders/search", get(search::folders))
        .route("/folders/{*folder}", get(folders::details).patch(folders::update).delete(folders::delete))
}

/// The bytes of files, for anyone who has an address that works.
fn content_routes() -> Router<AppState> {
    Router::new()
        .route(&format!("/{}/{{*path}}", policy::PUBLIC_PREFIX), get(content::public))
        .route(&format!("/{}/{{id}}/{{name}}", policy::SIGNED_PREFIX), get(content::signed))
}
