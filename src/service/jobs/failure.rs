//! Why a task was canceled, as its status tells it: the error form of the API, all its members there (`wire.md` §2.2).

use std::collections::BTreeMap;

use serde_json::json;

use crate::service::answer::error::ApiError;
use crate::service::fetch::FetchError;
use crate::service::policy;

/// JSON text for the task's row.
pub(super) fn of_request(error: &ApiError) -> String {
    let problem = &error.problem;
    let message = problem.message.as_deref().unwrap_or("internal error");
    text(problem.category.as_deref(), message, &problem.context)
}

pub(super) fn of_fetch(error: &FetchError) -> String {
    text(None, &error.to_string(), &BTreeMap::new())
}

fn text(category: Option<&str>, message: &str, context: &BTreeMap<String, Vec<String>>) -> String {
    let category = category.unwrap_or(policy::TASK_FAILED_CATEGORY);
    json!({"status": "error", "category": category, "message": message, "context": context, "links": {}, "errors": []})
        .to_string()
}
