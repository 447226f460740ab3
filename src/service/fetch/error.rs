//! Why a fetch failed, in words that go to the one who asked for it.

/// Targets that the guard refuses, that do not exist, that refuse the connection and that stay silent are all
/// `Unreachable`, in the same words: the text must not show what is inside.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum FetchError {
    #[error("The url is not valid: {0}.")]
    InvalidUrl(&'static str),
    #[error("The file could not be fetched from the url.")]
    Unreachable,
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
