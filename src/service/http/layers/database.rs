//! Answers nothing out of a database that was removed: what it says may be old, and what is written to it is lost.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::service::answer::error::ApiError;
use crate::service::state::AppState;
use crate::service::store::EmbeddedDatabase;

/// Answers 503 once the database file is not the one anymore that was opened.
pub(crate) async fn require_database(State(state): State<AppState>, request: Request, next: Next) -> Response {
    match loss(&state) {
        Some(refusal) => refusal.into_response(),
        None => next.run(request).await,
    }
}

/// 503, once the database is lost.
pub(crate) fn loss(state: &AppState) -> Option<ApiError> {
    if state.store.is_there() {
        return None;
    }
    // The background work saves what it can.
    state.work.notify_one();
    Some(if state.store.embedded().is_some_and(EmbeddedDatabase::is_refused) {
        ApiError::rows_lost()
    } else {
        ApiError::database_lost()
    })
}
