//! A refused or failed request in the form of the API (`contract.md#errors`). Internal causes are
//! logged, never sent.

use std::error::Error as StdError;
use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::api::model::{Problem, ProblemDetail};
use crate::service::access::scopes::MissingScopes;
use crate::service::content::disk::{is_disk_full, is_out_of_reach};
use crate::service::domain::lifetime::LifetimeError;
use crate::service::policy;
use crate::service::store::StoreError;

/// Status and body of an error response. The correlation id is filled in by `trace`, which knows
/// the request.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ApiError {
    pub(crate) status: StatusCode,
    pub(crate) problem: Box<Problem>,
    /// The time after which the same request may succeed.
    retry_after: Option<Duration>,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        let problem = Problem {
            status: Some("error".to_owned()),
            message: Some(message.into()),
            ..Problem::default()
        };
        Self {
            status,
            problem: Box::new(problem),
            retry_after: None,
        }
    }

    pub(crate) fn with_category(mut self, category: &str) -> Self {
        self.problem.category = Some(category.to_owned());
        self
    }

    pub(crate) fn with_context(mut self, key: &str, value: impl Into<String>) -> Self {
        self.problem
            .context
            .entry(key.to_owned())
            .or_default()
            .push(value.into());
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

    /// `OBJECT_ALREADY_EXISTS`, with the status that the policy defines.
    pub(crate) fn exists(status: StatusCode, message: impl Into<String>) -> Self {
        Self::new(status, message).with_category("OBJECT_ALREADY_EXISTS")
    }

    /// 507.
    pub(crate) fn disk_full() -> Self {
        Self::new(
            policy::DISK_FULL,
            "the service has no space left; nothing was stored",
        )
    }

    /// 503.
    pub(crate) fn database_lost() -> Self {
        Self::new(
            policy::DATABASE_LOST,
            "the service cannot use its database; nothing was changed",
        )
    }

    /// 503.
    pub(crate) fn rows_lost() -> Self {
        Self::new(
            policy::DATABASE_LOST,
            "the store has lost the rows of some files, so nothing is answered; stop the service and put the right \
             database back, or run 'filedeck store recover' (its log says more)",
        )
    }

    /// 503, with the time to try again.
    pub(crate) fn out_of_reach(message: impl Into<String>) -> Self {
        Self {
            retry_after: Some(policy::BYTES_OUT_OF_REACH_RETRY),
            ..Self::new(policy::BYTES_OUT_OF_REACH, message)
        }
    }

    /// Returns `true` if the same request may succeed once a database or a bucket answers again.
    pub(crate) fn is_out_of_reach(&self) -> bool {
        self.status == policy::BYTES_OUT_OF_REACH && self.retry_after.is_some()
    }

    /// The error for a database on another machine that did not respond. Logs the cause.
    fn database_out_of_reach(cause: &StoreError) -> Self {
        tracing::error!(cause = %Chain(cause), "the database is out of reach");
        Self::out_of_reach(if cause.is_unclear() {
            "the service has lost its database; what was asked for may have been done"
        } else {
            "the service cannot reach its database; nothing was changed"
        })
    }

    /// The error for bytes that could not be read or written. Logs the cause.
    pub(crate) fn of_bytes(what: &str, cause: &(dyn StdError + 'static)) -> Self {
        if is_disk_full(cause) {
            return Self::disk_full();
        }
        if !is_out_of_reach(cause) {
            return Self::internal(what, cause);
        }
        tracing::error!(what, cause = %Chain(cause), "the place of the bytes is out of reach");
        Self::out_of_reach(
            "the service cannot reach the place that its bytes lie in; nothing was changed",
        )
    }

    /// 500 without the cause, which is logged.
    pub(crate) fn internal(what: &str, cause: &dyn StdError) -> Self {
        tracing::error!(what, cause = %Chain(cause), "internal error");
        Self::defect()
    }

    /// 500 for a cause that has been logged already.
    pub(crate) fn defect() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal error")
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        if let Some(time) = self.retry_after {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from(time.as_secs()));
        }
        response.extensions_mut().insert(self);
        response
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        let message = error.to_string();
        match &error {
            StoreError::FileMissing(_) => Self::not_found(message),
            StoreError::FolderMissing(_) => {
                Self::new(policy::MISSING_FOLDER, message).with_category("OBJECT_NOT_FOUND")
            }
            StoreError::NameTaken(_) => Self::exists(policy::NAME_TAKEN, message),
            StoreError::Duplicate { .. } => Self::exists(policy::DUPLICATE_REJECTED, message),
            StoreError::HiddenBelow
            | StoreError::IntoItself
            | StoreError::TaskOver
            | StoreError::Name(_) => Self::validation(message),
            StoreError::TooManyTasks => Self {
                retry_after: Some(policy::TOO_MANY_TASKS_RETRY),
                ..Self::new(StatusCode::TOO_MANY_REQUESTS, message).with_category("RATE_LIMITS")
            },
            StoreError::UploadGivenUp => Self::out_of_reach(message),
            #[cfg(feature = "postgres")]
            StoreError::BeingCopied => Self::out_of_reach(message),
            _ if error.is_full() => Self::disk_full(),
            _ if error.is_unreachable() || error.is_worth_another_attempt() => {
                Self::database_out_of_reach(&error)
            }
            _ if error.is_lost() => Self::database_lost(),
            #[cfg(feature = "postgres")]
            StoreError::Encoding(_) => Self::internal("use the database", &error),
            StoreError::Database(..)
            | StoreError::File(_)
            | StoreError::Renewal(..)
            | StoreError::Unanswered(_)
            | StoreError::Closed
            | StoreError::TakenBack(..)
            | StoreError::Commit(..)
            | StoreError::Form(_) => Self::internal("use the database", &error),
        }
    }
}

/// 403 `MISSING_SCOPES` (`contract.md#errors`).
impl From<MissingScopes> for ApiError {
    fn from(missing: MissingScopes) -> Self {
        let message = "This app hasn't been granted all required scopes to make this call.";
        let mut error = Self::new(StatusCode::FORBIDDEN, message).with_category("MISSING_SCOPES");
        let named = missing.named.iter().map(ToString::to_string).collect();
        error.problem.errors.push(ProblemDetail::Object {
            message: "One or more of the following scopes are required.".to_owned(),
            code: None,
            field: None,
            context: [("requiredGranularScopes".to_owned(), named)].into(),
        });
        error
    }
}

impl From<LifetimeError> for ApiError {
    fn from(error: LifetimeError) -> Self {
        let refusal = Self::validation(error.to_string());
        match error {
            LifetimeError::Ttl { ttl, .. } => refusal.with_context("ttl", ttl),
            LifetimeError::Both | LifetimeError::Past => refusal,
        }
    }
}

struct Chain<'a>(&'a dyn StdError);

impl std::fmt::Display for Chain<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)?;
        std::iter::successors(self.0.source(), |&cause| cause.source())
            .try_for_each(|cause| write!(f, ": {cause}"))
    }
}
