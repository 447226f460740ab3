//! The error in the status of a canceled task: the error form of the API with all its members
//! (`contract.md#tasks`).

use jiff::Timestamp;
use serde_json::json;

use crate::api::ids::TaskId;
use crate::service::answer::error::ApiError;
use crate::service::metrics::TaskEnd;
use crate::service::policy;
use crate::service::state::AppState;
use crate::service::store::{StoreError, TaskKind};

pub(super) async fn cancel(
    state: &AppState,
    (kind, task): (TaskKind, &TaskId),
    error: ApiError,
    now: Timestamp,
) -> Result<(), StoreError> {
    let problem = *error.problem;
    let category = problem
        .category
        .as_deref()
        .unwrap_or(policy::TASK_FAILED_CATEGORY);
    let message = problem.message.as_deref().unwrap_or("internal error");
    let context = problem.context;
    let error = json!({"status": "error", "category": category, "message": message, "context": context, "links": {}, "errors": []});
    tracing::Span::current().record("otel.status_code", "ERROR");
    // Another process may have been quicker.
    if state
        .store
        .cancel_task(task, &error.to_string(), now)
        .await?
    {
        state.metrics.task_ended(kind, TaskEnd::Canceled);
    }
    Ok(())
}
