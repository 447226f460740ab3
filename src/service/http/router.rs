//! All routes of the service in one table, with the scopes they require. Their paths are at the
//! handlers.

use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::any;
use axum::{Extension, Router};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt as _};
use utoipa_axum::routes;

use super::faults::Faults;
use super::layers::admit::admit;
use super::layers::auth::ScopeGuard;
use super::layers::database::require_database;
use super::layers::rate_limit::RateLimiter;
use super::layers::trace::{unknown_method, unknown_route};
use super::openapi::{self, Document};
use super::probes;
use super::routes::{
    content, files, folder_tasks, folders, health, imports, limits, search, upload,
};
use super::test_api::{self, TestControls};
use crate::service::access::scopes::{
    CRM_OBJECTS, CUSTOM_OBJECTS, FILES_DELETE, FILES_READ, FILES_WRITE,
};
use crate::service::domain::version::ApiVersion;
use crate::service::state::AppState;

pub(crate) struct RouterOptions {
    /// Applied around everything that returns API errors.
    pub(crate) faults: Faults,
    pub(crate) limiter: Option<RateLimiter>,
    /// Set to refuse names that a call does not accept.
    pub(crate) is_strict: bool,
    /// Present only if tests may control the service.
    pub(crate) controls: Option<TestControls>,
    pub(crate) probes: ProbesBesideApi,
}

/// The probes that the listener of the API offers without a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProbesBesideApi {
    /// They have a listener of their own.
    None,
    /// Others can reach the listener, and the metrics are not for them.
    WithoutMetrics,
    All,
}

pub(crate) fn router(state: &AppState, options: RouterOptions) -> Router {
    let api = ApiVersion::ALL
        .iter()
        .fold(OpenApiRouter::new(), |api, &version| {
            let (limiter, is_strict) = (options.limiter.clone(), options.is_strict);
            let guard = ScopeGuard {
                state: state.clone(),
                limiter,
                version,
                is_strict,
            };
            api.nest(&format!("/files/{version}"), files_api(version, &guard))
                .nest(&limits_path(version), limits_api(&guard))
        });
    let document = Document::default();
    let (routes, described) = OpenApiRouter::new()
        .merge(api)
        .merge(content_routes().route_layer(from_fn_with_state(state.clone(), require_database)))
        .merge(open_routes().layer(Extension(document.clone())))
        .merge(missing_routes())
        .split_for_parts();
    document.complete(described, &state.base_url);
    let routes = routes
        .fallback(unknown_route)
        .method_not_allowed_fallback(unknown_method)
        .layer(from_fn_with_state((state.clone(), options.faults), admit))
        .with_state(state.clone());
    let routes = match options.controls {
        Some(controls) => test_api::beside(routes, controls, state),
        None => routes,
    };
    match options.probes {
        ProbesBesideApi::None => routes,
        probes => probes::beside(routes, state, probes == ProbesBesideApi::All),
    }
}

/// Files and folders below `/files/{version}`; a caller needs one of the scopes given
/// (`contract.md#endpoints`).
fn files_api(version: ApiVersion, guard: &ScopeGuard) -> OpenApiRouter<AppState> {
    let unlimited = DefaultBodyLimit::disable;
    let mut api = OpenApiRouter::new()
        .routes(guard.needs(&FILES_WRITE, routes!(upload::upload).layer(unlimited())))
        .routes(guard.needs(&FILES_READ, routes!(search::files)))
        .routes(guard.needs(&FILES_READ, routes!(files::stat)))
        .routes(guard.needs(&FILES_READ, routes!(files::details)))
        .routes(guard.needs(&FILES_WRITE, routes!(files::update)))
        .routes(guard.needs(&FILES_WRITE, routes!(upload::replace).layer(unlimited())))
        .routes(guard.needs(&FILES_DELETE, routes!(files::delete)))
        .routes(guard.needs(&FILES_READ, routes!(files::signed_url)))
        .routes(guard.needs(&FILES_DELETE, routes!(files::erase)))
        .routes(guard.needs(&FILES_WRITE, routes!(imports::start)))
        .routes(guard.needs(&FILES_READ, routes!(imports::status)))
        .routes(guard.needs(&FILES_WRITE, routes!(folders::create)))
        .routes(guard.needs(&FILES_READ, routes!(search::folders)))
        .routes(guard.needs(&FILES_READ, routes!(folders::details)))
        .routes(guard.needs(&FILES_WRITE, routes!(folders::update)))
        .routes(guard.needs(&FILES_DELETE, routes!(folders::delete)));
    if version.has_download() {
        api = api.routes(guard.needs(&FILES_READ, routes!(content::download)));
    }
    if version.has_folder_tasks() {
        api = api.routes(guard.needs(&FILES_WRITE, routes!(folder_tasks::start)));
        // The status of a folder update requires the write scope, unlike that of an import.
        api = api.routes(guard.needs(&FILES_WRITE, routes!(folder_tasks::status)));
    }
    api
}

/// Routes that a version does not have, but where the path of a folder would match.
fn missing_routes() -> OpenApiRouter<AppState> {
    let without = ApiVersion::ALL
        .iter()
        .filter(|version| !version.has_folder_tasks());
    without.fold(OpenApiRouter::new(), |routes, version| {
        let task = format!("/files/{version}/folders/update/async");
        routes
            .route(&task, any(unknown_route))
            .route(&format!("{task}/tasks/{{id}}/status"), any(unknown_route))
    })
}

/// Dated versions swap the name and the version (`contract.md#versions`).
fn limits_path(version: ApiVersion) -> String {
    if version.is_dated() {
        format!("/crm/limits/{version}")
    } else {
        format!("/crm/{version}/limits")
    }
}

/// CRM limits; a literal `to` wins over an object type of that name (`contract.md#crm-limits`).
fn limits_api(guard: &ScopeGuard) -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(guard.needs(&CRM_OBJECTS, routes!(limits::custom_properties)))
        .routes(guard.needs(&CRM_OBJECTS, routes!(limits::calculated_properties)))
        .routes(guard.needs(&CUSTOM_OBJECTS, routes!(limits::custom_object_types)))
        .routes(guard.needs(&CRM_OBJECTS, routes!(limits::records)))
        .routes(guard.needs(&CRM_OBJECTS, routes!(limits::pipelines)))
        .routes(guard.needs(&CRM_OBJECTS, routes!(limits::association_labels)))
        .routes(guard.needs(&CRM_OBJECTS, routes!(limits::association_sources)))
        .routes(guard.needs(&CRM_OBJECTS, routes!(limits::association_targets)))
        .routes(guard.needs(&CRM_OBJECTS, routes!(limits::association_pair)))
}

/// The bytes of files, for anyone with a valid address.
fn content_routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(content::public))
        .routes(routes!(content::signed))
}

fn open_routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(health::health))
        .routes(routes!(openapi::serve))
}
