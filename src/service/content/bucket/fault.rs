//! How a bucket fails: at the start with advice, later as an error of the place of the bytes. No text holds credentials.

use std::io;

use object_store::Error;
use object_store::client::{HttpError, HttpErrorKind};

/// Why a bucket cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BucketFault {
    #[error(
        "AWS_ENDPOINT_URL is http, not https: everything would be sent without encryption. Set AWS_ALLOW_HTTP=true to allow it"
    )]
    Plain,
    #[error("the settings in the environment (AWS_…) cannot be used: {0}")]
    Settings(Error),
    #[error(
        "it refuses to {what}: check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and that they allow {permission} ({cause})"
    )]
    Refused { what: &'static str, permission: &'static str, cause: String },
    #[error("there is none of this name; make it first, or check AWS_ENDPOINT_URL and AWS_REGION ({0})")]
    Missing(String),
    #[error("it does not {what}; check AWS_ENDPOINT_URL, AWS_REGION and that the server runs ({cause})")]
    Failed { what: &'static str, cause: String },
    #[error("it has none of this store's bytes; check AWS_ENDPOINT_URL: there may be several buckets of this name")]
    NotTheOne,
}

impl BucketFault {
    /// Of a request that needs this permission.
    pub(super) fn of(what: &'static str, permission: &'static str) -> impl FnOnce(Error) -> Self {
        move |error| {
            let cause = error.to_string();
            match error {
                Error::NotFound { .. } => Self::Missing(cause),
                Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => {
                    Self::Refused { what, permission, cause }
                }
                _ => Self::Failed { what, cause },
            }
        }
    }
}

/// A failed read: what is not there is told from what cannot be reached.
pub(super) fn unread(error: Error) -> io::Error {
    match error {
        Error::NotFound { .. } => io::Error::new(io::ErrorKind::NotFound, error.to_string()),
        error => unreached(error),
    }
}

/// Any other failure.
#[expect(clippy::needless_pass_by_value, reason = "maps errors")]
pub(super) fn unreached(error: Error) -> io::Error {
    io::Error::new(io::ErrorKind::HostUnreachable, error.to_string())
}

/// The server may carry out what was asked all the same, also later.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct AnswerLost(Error);

/// A request that stores something has failed with this: nobody knows whether it is carried out.
pub(super) fn unanswered(error: Error) -> io::Error {
    io::Error::new(io::ErrorKind::HostUnreachable, AnswerLost(error))
}

/// The failure of one request that stores something.
pub(super) fn unstored(error: Error) -> io::Error {
    let mut causes = std::iter::successors(Some(&error as &dyn std::error::Error), |error| error.source());
    let http = causes.find_map(|cause| cause.downcast_ref::<HttpError>());
    let was_sent = http.is_some_and(|error| error.kind() != HttpErrorKind::Connect);
    if was_sent { unanswered(error) } else { unreached(error) }
}

/// Whether bytes may come to be there after this failure.
pub(crate) fn is_unanswered(error: &io::Error) -> bool {
    matches!(error.get_ref(), Some(cause) if cause.is::<AnswerLost>())
}
