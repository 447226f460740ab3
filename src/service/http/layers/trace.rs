//! A correlation id per request: in the log, in the response headers and in the body of an error.
//! The log has routes and ids, but no paths, since these contain names that may have to be erased,
//! and no query strings, headers or bodies.

use std::panic::AssertUnwindSafe;

use axum::body::Body;
use axum::extract::{MatchedPath, Request};
#[cfg(feature = "otlp")]
use axum::http::HeaderMap;
use axum::http::{HeaderValue, Method, Response, StatusCode, header};
use axum::response::IntoResponse as _;
use futures::FutureExt as _;
#[cfg(feature = "otlp")]
use opentelemetry::propagation::TextMapPropagator as _;
#[cfg(feature = "otlp")]
use opentelemetry_http::HeaderExtractor;
#[cfg(feature = "otlp")]
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tracing::Instrument as _;
use tracing::field::Empty;
#[cfg(feature = "otlp")]
use tracing_opentelemetry::OpenTelemetrySpanExt as _;
use uuid::Uuid;

use crate::service::answer::error::ApiError;

/// Assigns the request an id, and writes the body of an error response, even after a panic.
pub(super) async fn correlate<F>(
    request: Request,
    answer: impl FnOnce(Request) -> F,
) -> Response<Body>
where
    F: Future<Output = Response<Body>>,
{
    let id = Uuid::now_v7().to_string();
    let route = route(&request);
    let object = object_id(route, request.uri().path());
    let span = tracing::info_span!(
        "request",
        id,
        method = %request.method(),
        route,
        object,
        // Known only at the end, so they appear in no log line.
        http.response.status_code = Empty,
        otel.status_code = Empty,
    );
    #[cfg(feature = "otlp")]
    continue_trace(&span, request.headers());
    let mut response = async {
        // A panic has been logged by the panic hook.
        let answered = AssertUnwindSafe(answer(request)).catch_unwind().await;
        let response = answered.unwrap_or_else(|_| ApiError::defect().into_response());
        let status = response.status();
        // Successful requests are logged only at debug level: a line costs as much as a lookup.
        if status.is_client_error() || status.is_server_error() {
            tracing::info!(status = status.as_u16(), "answered");
        } else {
            tracing::debug!(status = status.as_u16(), "answered");
        }
        response
    }
    .instrument(span.clone())
    .await;
    span.record(
        "http.response.status_code",
        i64::from(response.status().as_u16()),
    );
    if response.status().is_server_error() {
        span.record("otel.status_code", "ERROR");
    }
    if let Some(error) = response.extensions_mut().remove::<ApiError>() {
        response = word(error, &id, response);
    }
    if let Ok(value) = HeaderValue::try_from(id) {
        response
            .headers_mut()
            .insert("x-hubspot-correlation-id", value.clone());
        response.headers_mut().insert("x-request-id", value);
    }
    response
}

/// Makes the span part of the caller's trace, if spans are exported to a collector.
#[cfg(feature = "otlp")]
fn continue_trace(span: &tracing::Span, headers: &HeaderMap) {
    if headers.contains_key("traceparent") {
        let caller = TraceContextPropagator::new().extract(&HeaderExtractor(headers));
        // Fails if spans are not exported.
        let _ = span.set_parent(caller);
    }
}

pub(super) fn route(request: &Request) -> &str {
    request
        .extensions()
        .get::<MatchedPath>()
        .map_or("unknown", MatchedPath::as_str)
}

/// Returns the id of the file or task in the path, if the route has one and it has the form of an
/// id.
fn object_id<'a>(route: &str, path: &'a str) -> Option<&'a str> {
    let (_, id) = route
        .split('/')
        .zip(path.split('/'))
        .find(|(part, _)| *part == "{id}")?;
    (!id.is_empty()
        && id
            .bytes()
            .all(|byte| byte.is_ascii_hexdigit() || byte == b'-'))
    .then_some(id)
}

/// Writes the JSON body of the error into its response, whose headers stay.
fn word(mut error: ApiError, id: &str, mut response: Response<Body>) -> Response<Body> {
    error.problem.correlation_id = Some(id.to_owned());
    if error.problem.policy_name.is_some() {
        error.problem.request_id = Some(id.to_owned());
    }
    let body = serde_json::to_vec(&error.problem).unwrap_or_default();
    *response.body_mut() = Body::from(body);
    response.headers_mut().remove(header::CONTENT_LENGTH);
    response.headers_mut().insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/json;charset=utf-8"),
    );
    response
}

/// 404 for a route that does not exist.
pub(crate) async fn unknown_route() -> ApiError {
    ApiError::new(
        StatusCode::NOT_FOUND,
        "there is no such route; /openapi.json describes every call",
    )
}

/// 405 for a method that a route does not have; the router adds the list of those that it has.
pub(crate) async fn unknown_method(method: Method) -> ApiError {
    let message =
        format!("this route does not take {method}; the header Allow names what it takes");
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_answers_500_and_says_nothing_of_its_cause() {
        let response = correlate(Request::default(), async |_| panic!("secret cause")).await;
        assert_eq!(response.status(), 500);
        let id = response.headers()["x-hubspot-correlation-id"]
            .to_str()
            .unwrap()
            .to_owned();
        let body = axum::body::to_bytes(response.into_body(), 1024)
            .await
            .unwrap();
        let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(
            body,
            serde_json::json!({ "status": "error", "message": "internal error", "correlationId": id })
        );
    }
}
