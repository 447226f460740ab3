//! The route `PUT /{name}`: streams the body into the folder `/inbox` of the account.

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::header::CONTENT_LENGTH;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::put;
use filedeck::api::Client;

/// Returns the routes of a service that stores uploads in this account.
pub fn relay(client: Client) -> Router {
    Router::new()
        .route("/{name}", put(store))
        .with_state(client)
}

async fn store(
    State(client): State<Client>,
    Path(name): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<String, (StatusCode, String)> {
    let length = headers
        .get(CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse().ok())
        .ok_or((StatusCode::LENGTH_REQUIRED, String::new()))?;
    let upload = client
        .files()
        .upload(&format!("/inbox/{name}"))
        .from_stream(body.into_data_stream(), length);
    match upload.send().await {
        Ok(sent) => Ok(sent.file.id.to_string()),
        Err(error) => Err((StatusCode::BAD_GATEWAY, error.to_string())),
    }
}
