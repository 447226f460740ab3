//! The reasons why tokens or the signing key cannot be used. Never contains a secret.

use std::path::PathBuf;

use crate::secret_file::SecretFileError;

#[derive(Debug, thiserror::Error)]
pub enum CredentialError {
    #[error(transparent)]
    File(#[from] SecretFileError),
    #[error("{path}: {error}")]
    List {
        path: PathBuf,
        error: TokenFileError,
    },
    #[error("the token is empty or has characters that a bearer token cannot have")]
    NotAToken,
    #[error(
        "the token '{name}' has fewer than 16 characters and can be guessed, and --allow-remote lets other machines try; \
         use a longer one, such as the output of: openssl rand -hex 32"
    )]
    Weak { name: String },
    #[error("the system has no random bytes: {0}")]
    Random(String),
    #[error("reading ended: {0}")]
    Ended(String),
    #[error("the signing key cannot be read or stored")]
    SigningKey(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// The fault of a token file. Never contains a token.
#[derive(Debug, thiserror::Error)]
pub enum TokenFileError {
    #[error(
        "it is neither one line with a token, nor TOML with [[tokens]], nor JSON with \"tokens\": {0}"
    )]
    Form(String),
    #[error("the token '{name}' {fault}")]
    Entry { name: String, fault: String },
}
