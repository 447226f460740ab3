//! The duplicate rules in a request (`contract.md#duplicates`).

use crate::api::model::{DuplicateScope, DuplicateStrategy, UploadOptions};
use crate::service::answer::error::ApiError;
use crate::service::store::DuplicateRule;

/// Returns the scope and strategy; defaults if absent. Refuses unknown values.
pub(super) fn duplicate_rule(options: &UploadOptions) -> Result<DuplicateRule, ApiError> {
    let default = DuplicateRule::default();
    let scope = options
        .duplicate_validation_scope
        .clone()
        .unwrap_or(default.scope);
    let strategy = options
        .duplicate_validation_strategy
        .clone()
        .unwrap_or(default.strategy);
    if let DuplicateScope::Other(value) = &scope {
        let message = "duplicateValidationScope must be ENTIRE_PORTAL or EXACT_FOLDER";
        return Err(ApiError::validation(message).with_context("duplicateValidationScope", value));
    }
    if let DuplicateStrategy::Other(value) = &strategy {
        let message = "duplicateValidationStrategy must be NONE, REJECT or RETURN_EXISTING";
        return Err(
            ApiError::validation(message).with_context("duplicateValidationStrategy", value)
        );
    }
    Ok(DuplicateRule { scope, strategy })
}
