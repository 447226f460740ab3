//! Refuses requests once the database file was removed: data read may be old, and data written
//! would be lost.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::service::answer::error::ApiError;
use crate::service::state::AppState;
use crate::service::store::EmbeddedDatabase;

/// Responds with 503 once the database file is not the one that was opened.
pub(crate) async fn require_database(
    State(state): State<AppState>,
    request: Request,
    next: Next,
) -> Response {
    match loss(&state) {
        Some(refusal) => refusal.into_response(),
        None => next.run(request).await,
    }
}

/// Returns the 503 response once the database is lost.
pub(crate) fn loss(state: &AppState) -> Option<ApiError> {
    if state.store.is_there() {
        return None;
    }
    // The background jobs save what they can.
    state.work.notify_one();
    Some(
        if state
            .store
            .embedded()
            .is_some_and(EmbeddedDatabase::is_refused)
        {
            ApiError::rows_lost()
        } else {
            ApiError::database_lost()
        },
    )
}
