//! Every route of the service, in one table.

use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{delete, get, post};
use axum::{Extension, Router};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;

use super::auth::require_token;
use super::faults::{self, Faults};
use super::host::require_own_host;
use super::policy;
use super::rate_limit::{self, RateLimiter};
use super::routes::{content, files, folder_tasks, folders, imports, limits, search, upload};
use super::state::AppState;
use super::trace::{correlate, panicked, unknown_method, unknown_route};
use super::version::ApiVersion;

/// `faults` act around everything that has an error form, `limiter` on requests with the token.
pub(crate) fn router(state: &AppState, faults: Faults, limiter: Option<RateLimiter>) -> Router {
    let api = ApiVersion::ALL.into_iter().fold(Router::new(), |api, version| {
        api.nest(&format!("/files/{version}"), files_api().layer(Extension(version)))
            .nest(&limits_path(version), limits_api())
    });
    let api = match limiter {
        Some(limiter) => api.route_layer(from_fn_with_state(limiter, rate_limit::count)),
        None => api,
    };
    Router::new()
        .merge(api.route_layer(from_fn_with_state(state.clone(), require_token)))
        .merge(content_routes())
        .route("/healthz", get(async || "ok"))
        .fallback(unknown_route)
        .method_not_allowed_fallback(unknown_method)
        .layer(RequestBodyTimeoutLayer::new(policy::BODY_IDLE_TIMEOUT))
        .layer(DefaultBodyLimit::max(policy::MAX_JSON_BYTES))
        .layer(from_fn_with_state(state.clone(), require_own_host))
        .layer(from_fn_with_state(faults, faults::apply))
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
        .route("/files/import-from-url/async", post(imports::start))
        .route("/files/import-from-url/async/tasks/{id}/status", get(imports::status))
        .route("/folders/update/async", post(folder_tasks::start))
        .route("/folders/update/async/tasks/{id}/status", get(folder_tasks::status))
        .route("/folders", post(folders::create))
        .route("/folders/search", get(search::folders))
        .route("/folders/{*folder}", get(folders::details).patch(folders::update).delete(folders::delete))
}

/// Dated versions turn the order of name and version round (`wire.md` §12).
fn limits_path(version: ApiVersion) -> String {
    if version.is_dated() { format!("/crm/limits/{version}") } else { format!("/crm/{version}/limits") }
}

/// CRM limits; a literal `to` wins over an object type of that name (`wire.md` §8).
fn limits_api() -> Router<AppState> {
    Router::new()
        .route("/custom-properties", get(limits::custom_properties))
        .route("/calculated-properties", get(limits::calculated_properties))
        .route("/custom-object-types", get(limits::custom_object_types))
        .route("/records", get(limits::records))
        .route("/pipelines", get(limits::pipelines))
        .route("/associations/labels", get(limits::association_labels))
        .route("/associations/records/from", get(limits::association_sources))
        .route("/associations/records/{from}/to", get(limits::association_targets))
        .route("/associations/records/{from}/{to}", get(limits::association_pair))
}

/// The bytes of files, for anyone who has an address that works.
fn content_routes() -> Router<AppState> {
    Router::new()
        .route(&format!("/{}/{{*path}}", policy::PUBLIC_PREFIX), get(content::public))
        .route(&format!("/{}/{{id}}/{{name}}", policy::SIGNED_PREFIX), get(content::signed))
}
