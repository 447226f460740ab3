//! A refused or failed request, as the API words it (`wire.md` §9). What went wrong inside is logged, never sent.

use std::error::Error as StdError;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use super::policy;
use crate::api::model::{Problem, ProblemDetail};

/// Status and body of an error answer. The correlation id is filled in by `trace`, which knows the request.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ApiError {
    pub(crate) status: StatusCode,
    pub(crate) problem: Box<Problem>,
}

impl ApiError {
    /// An answer without a category.
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        let problem = Problem { status: Some("error".to_owned()), message: Some(message.into()), ..Problem::default() };
        Self { status, problem: Box::new(problem) }
    }

    pub(crate) fn with_category(mut self, category: &str) -> Self {
        self.problem.category = Some(category.to_owned());
        self
    }

    /// Names the value that was wrong.
    pub(crate) fn with_context(mut self, key: &str, value: impl Into<String>) -> Self {
        self.problem.context.entry(key.to_owned()).or_default().push(value.into());
        self
    }

    /// Adds a cause, with a list of values under one key.
    pub(crate) fn with_detail(mut self, message: &str, key: &str, values: &[&str]) -> Self {
        let values = values.iter().map(|value| (*value).to_owned()).collect();
        self.problem.errors.push(ProblemDetail::Object {
            message: message.to_owned(),
            code: None,
            field: None,
            context: [(key.to_owned(), values)].into(),
        });
        self
    }

    /// 400 `VALIDATION_ERROR`.
    pub(crate) fn validation(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message).with_category("VALIDATION_ERROR")
    }

    /// 404 `OBJECT_NOT_FOUND`.
    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, message).with_category("OBJECT_NOT_FOUND")
    }

    /// `OBJECT_ALREADY_EXISTS`, with the status that the policy gives.
    pub(crate) fn exists(status: StatusCode, message: impl Into<String>) -> Self {
        Self::new(status, message).with_category("OBJECT_ALREADY_EXISTS")
    }

    /// 507.
    pub(crate) fn disk_full() -> Self {
        Self::new(policy::DISK_FULL, "the service has no space left; nothing was stored")
    }

    /// 500 without a word about the cause, which goes to the log.
    pub(crate) fn internal(what: &str, cause: &dyn StdError) -> Self {
        tracing::error!(what, cause = %Chain(cause), "internal error");
        Self::defect()
    }

    /// 500 for what has been logged already.
    pub(crate) fn defect() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal error")
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// Prints an error with its causes.
struct Chain<'a>(&'a dyn StdError);

impl std::fmt::Display for Chain<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)?;
        let mut cause = self.0.source();
        while let Some(error) = cause {
            write!(f, ": {error}")?;
            cause = error.source();
        }
        Ok(())
    }
}

/// Whether a full disk is somewhere among the causes.
pub(crate) fn is_disk_full(error: &(dyn StdError + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        let io = error.downcast_ref::<std::io::Error>();
        if io.is_some_and(|io| matches!(io.kind(), std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded))
        {
            return true;
        }
        cause = error.source();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_seen_through_the_errors_around_it() {
        let full = std::io::Error::from(std::io::ErrorKind::StorageFull);
        let wrapped = object_store::Error::Generic { store: "blobs", source: Box::new(full) };
        assert!(is_disk_full(&std::io::Error::other(wrapped)));
        assert!(!is_disk_full(&std::io::Error::from(std::io::ErrorKind::NotFound)));
    }
}
