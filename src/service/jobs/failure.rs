//! Why a task was canceled, as its status tells it: the error form of the API, all its members there (`wire.md` §2.2).

use serde_json::json;

use crate::service::error::ApiError;
use crate::service::fetch::FetchError;
use crate::service::policy;

/// JSON text for the task's row.
pub(super) fn of_request(error: &ApiError) -> String {
    let problem = &error.problem;
    let message = problem.message.as_deref().unwrap_or("internal error");
    let category = problem.category.as_deref().unwrap_or(policy::TASK_FAILED_CATEGORY);
    json!({"status": "error", "category": category, "message": message, "context": problem.context,
           "links": {}, "errors": []})
    .to_string()
}

pub(super) fn of_fetch(error: &FetchError) -> String {
    json!({"status": "error", "category": policy::TASK_FAILED_CATEGORY, "message": error.to_string(), "context": {},
           "links": {}, "errors": []})
    .to_string()
}
