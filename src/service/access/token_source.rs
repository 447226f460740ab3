//! The service's own bearer token, and the digests by which tokens are known.

use std::path::{Path, PathBuf};

use secrecy::{ExposeSecret as _, SecretString};
use sha2::{Digest as _, Sha256};

use super::credential_error::CredentialError;
use super::random_secret::random_secret;
use crate::secret_file;

#[derive(Debug, Clone)]
pub enum TokenSource {
    /// The file `token` in the data directory, created at the first start (mode 0600).
    DataDir,
    Given(SecretString),
}

impl TokenSource {
    /// Creates the token in the directory if it is the source and missing.
    pub(crate) fn prepare(&self, data_dir: &Path) -> Result<(), CredentialError> {
        let path = token_file(data_dir);
        if matches!(self, Self::DataDir) && path.symlink_metadata().is_err() {
            secret_file::create(
                &path,
                &format!("fdk-{}", random_secret()?.expose_secret()).into(),
            )?;
        }
        Ok(())
    }

    /// Reads the token of a service that was started with this source.
    pub(crate) fn read(&self, data_dir: &Path) -> Result<SecretString, CredentialError> {
        let token: SecretString = match self {
            Self::Given(token) => token.expose_secret().trim().into(),
            Self::DataDir => secret_file::read(&token_file(data_dir))?,
        };
        if is_token(token.expose_secret()) {
            Ok(token)
        } else {
            Err(CredentialError::NotAToken)
        }
    }
}

fn token_file(data_dir: &Path) -> PathBuf {
    data_dir.join("token")
}

/// Returns `true` if this can be a bearer token: `b64token` of RFC 6750 §2.1.
pub(crate) fn is_token(text: &str) -> bool {
    let unpadded = text.trim_end_matches('=');
    !unpadded.is_empty()
        && unpadded
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-._~+/".contains(c))
}

/// Returns `true` if the token is too short to be secret from someone who can try many.
pub(super) fn is_weak(token: &SecretString) -> bool {
    token.expose_secret().len() < MIN_TOKEN_CHARS
}

const MIN_TOKEN_CHARS: usize = 16;

/// The SHA-256 of a token. Not printed, since a weak token could be guessed from it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct TokenDigest(pub(super) [u8; 32]);

impl TokenDigest {
    pub(crate) fn of(text: &str) -> Self {
        Self(Sha256::digest(text.as_bytes()).into())
    }
}

impl std::fmt::Debug for TokenDigest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TokenDigest(..)")
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::made_by_the_service("fdk-0123456789abcdef", true)]
    #[case::every_kind_of_character("aZ09-._~+/==", true)]
    #[case::nothing("", false)]
    #[case::padding_alone("==", false)]
    #[case::padding_within("a=b", false)]
    #[case::blank("a b", false)]
    #[case::bracket("tokens=[", false)]
    #[case::quote("'abc'", false)]
    #[case::not_ascii("tök", false)]
    fn a_token_has_the_characters_of_rfc_6750(#[case] text: &str, #[case] taken: bool) {
        assert_eq!(is_token(text), taken);
    }
}
