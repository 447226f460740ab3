//! The reasons why a fetch failed, in messages for the user who requested it.

/// Targets that the guard refuses, that do not exist, that refuse the connection and that do not
/// respond are all `Unreachable` with the same message, which must not reveal internal targets.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum FetchError {
    #[error("The url is not valid: {0}.")]
    InvalidUrl(&'static str),
    #[error("The file could not be fetched from the url.")]
    Unreachable,
    /// Only for a target that the guard permits.
    #[error("The server of the url is not trusted: {0}.")]
    Untrusted(String),
    #[error("Got status {0} instead of a file from the url.")]
    Status(u16),
    #[error("The url redirects too often.")]
    TooManyRedirects,
    #[error("The url answered with a content encoding that was not asked for.")]
    Encoded,
    #[error("The file is larger than the limit of {limit} bytes.")]
    TooLarge { limit: u64 },
    #[error("The transfer from the url broke off or took too long.")]
    Interrupted,
}
