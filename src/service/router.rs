//! Every route of the service, in one table.

use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{delete, get, patch, post, put};
use axum::{Extension, Router};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;

use super::auth::{needs, require_token};
use super::faults::{self, Faults};
use super::host::require_own_host;
use super::policy;
use super::rate_limit::{self, RateLimiter};
use super::routes::{content, files, folder_tasks, folders, imports, limits, search, upload};
use super::scopes::{CRM_OBJECTS, CUSTOM_OBJECTS, FILES_DELETE, FILES_READ, FILES_WRITE};
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

/// Files and folders, below `/files/{version}`, each with the scopes of which a caller needs one (`wire.md` §1).
fn files_api() -> Router<AppState> {
    let unlimited = DefaultBodyLimit::disable;
    Router::new()
        .route("/files", needs(&FILES_WRITE, post(upload::upload).layer(unlimited())))
        .route("/files/search", needs(&FILES_READ, get(search::files)))
        .route("/files/stat/{*path}", needs(&FILES_READ, get(files::stat)))
        .route("/files/{id}", needs(&FILES_READ, get(files::details)))
        .route("/files/{id}", needs(&FILES_WRITE, patch(files::update)))
        .route("/files/{id}", needs(&FILES_WRITE, put(upload::replace).layer(unlimited())))
        .route("/files/{id}", needs(&FILES_DELETE, delete(files::delete)))
        .route("/files/{id}/signed-url", needs(&FILES_READ, get(files::signed_url)))
        .route("/files/{id}/download", needs(&FILES_READ, get(content::download)))
        .route("/files/{id}/gdpr-delete", needs(&FILES_DELETE, delete(files::erase)))
        .route("/files/import-from-url/async", needs(&FILES_WRITE, post(imports::start)))
        .route("/files/import-from-url/async/tasks/{id}/status", needs(&FILES_READ, get(imports::status)))
        .route("/folders/update/async", needs(&FILES_WRITE, post(folder_tasks::start)))
        // The status of a folder's update asks for writing, unlike that of an import.
        .route("/folders/update/async/tasks/{id}/status", needs(&FILES_WRITE, get(folder_tasks::status)))
        .route("/folders", needs(&FILES_WRITE, post(folders::create)))
        .route("/folders/search", needs(&FILES_READ, get(search::folders)))
        .route("/folders/{*folder}", needs(&FILES_READ, get(folders::details)))
        .route("/folders/{*folder}", needs(&FILES_WRITE, patch(folders::update)))
        .route("/folders/{*folder}", needs(&FILES_DELETE, delete(folders::delete)))
}

/// Dated versions turn the order of name and version round (`wire.md` §12).
fn limits_path(version: ApiVersion) -> String {
    if version.is_dated() { format!("/crm/limits/{version}") } else { format!("/crm/{version}/limits") }
}

/// CRM limits; a literal `to` wins over an object type of that name (`wire.md` §8).
fn limits_api() -> Router<AppState> {
    Router::new()
        .route("/custom-properties", needs(&CRM_OBJECTS, get(limits::custom_properties)))
        .route("/calculated-properties", needs(&CRM_OBJECTS, get(limits::calculated_properties)))
        .route("/custom-object-types", needs(&CUSTOM_OBJECTS, get(limits::custom_object_types)))
        .route("/records", needs(&CRM_OBJECTS, get(limits::records)))
        .route("/pipelines", needs(&CRM_OBJECTS, get(limits::pipelines)))
        .route("/associations/labels", needs(&CRM_OBJECTS, get(limits::association_labels)))
        .route("/associations/records/from", needs(&CRM_OBJECTS, get(limits::association_sources)))
        .route("/associations/records/{from}/to", needs(&CRM_OBJECTS, get(limits::association_targets)))
        .route("/associations/records/{from}/{to}", needs(&CRM_OBJECTS, get(limits::association_pair)))
}

/// The bytes of files, for anyone who has an address that works.
fn content_routes() -> Router<AppState> {
    Router::new()
        .route(&format!("/{}/{{*path}}", policy::PUBLIC_PREFIX), get(content::public))
        .route(&format!("/{}/{{id}}/{{name}}", policy::SIGNED_PREFIX), get(content::signed))
}
