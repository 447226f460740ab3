//! The failures of a bucket: with advice at the start, later as I/O errors. No text contains
//! credentials.

use std::io;

use object_store::Error;
use object_store::client::{HttpError, HttpErrorKind};

use crate::tls::Distrust;

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
    Refused {
        what: &'static str,
        permission: &'static str,
        cause: String,
    },
    #[error(
        "there is none of this name; make it first, or check AWS_ENDPOINT_URL and AWS_REGION ({0})"
    )]
    Missing(String),
    #[error(
        "it does not {what}; check AWS_ENDPOINT_URL, AWS_REGION and that the server runs ({cause})"
    )]
    Failed { what: &'static str, cause: String },
    #[error("its server is not trusted: {0}")]
    Untrusted(String),
    #[error(
        "it has none of this store's bytes; check AWS_ENDPOINT_URL: there may be several buckets of this name"
    )]
    NotTheOne,
    #[error("it belongs to another store; name another bucket or prefix, or empty this one")]
    Taken,
    #[error("it belongs to another store")]
    OtherStore,
}

impl BucketFault {
    pub(super) fn of(what: &'static str, permission: &'static str) -> impl FnOnce(Error) -> Self {
        move |error| {
            let cause = error.to_string();
            match error {
                Error::NotFound { .. } => Self::Missing(cause),
                Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => Self::Refused {
                    what,
                    permission,
                    cause,
                },
                error => Self::failed(what, &error),
            }
        }
    }

    pub(super) fn failed(what: &'static str, error: &(dyn std::error::Error + 'static)) -> Self {
        match Distrust::of(error) {
            Some(distrust) => Self::Untrusted(distrust.with_advice("--ca-cert FILE")),
            None => Self::Failed {
                what,
                cause: error.to_string(),
            },
        }
    }
}

/// The error of a failed read, which distinguishes a missing object from a server out of reach.
pub(super) fn unread(error: Error) -> io::Error {
    match error {
        Error::NotFound { .. } => io::Error::new(io::ErrorKind::NotFound, error.to_string()),
        error => unreached(error),
    }
}

#[expect(clippy::needless_pass_by_value, reason = "maps errors")]
pub(super) fn unreached(error: Error) -> io::Error {
    io::Error::new(io::ErrorKind::HostUnreachable, error.to_string())
}

/// The error of a change to a bucket that belongs to another store.
pub(super) fn not_owned() -> io::Error {
    let advice = "the bucket belongs to another store, which another database serves; stop this service, or that one and run \
                  'filedeck store adopt'";
    io::Error::new(io::ErrorKind::HostUnreachable, advice)
}

/// The server may still carry out the request, even later.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct AnswerLost(Error);

/// The error of a request that stores bytes and whose outcome is unknown.
pub(super) fn unanswered(error: Error) -> io::Error {
    io::Error::new(io::ErrorKind::HostUnreachable, AnswerLost(error))
}

/// The error of a single request that stores bytes.
pub(super) fn unstored(error: Error) -> io::Error {
    let mut causes = std::iter::successors(Some(&error as &dyn std::error::Error), |error| {
        error.source()
    });
    let http = causes.find_map(|cause| cause.downcast_ref::<HttpError>());
    let was_sent = http.is_some_and(|error| error.kind() != HttpErrorKind::Connect);
    if was_sent {
        unanswered(error)
    } else {
        unreached(error)
    }
}

pub(crate) fn is_unanswered(error: &io::Error) -> bool {
    matches!(error.get_ref(), Some(cause) if cause.is::<AnswerLost>())
}
