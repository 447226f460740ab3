//! The credentials of an account: a permanent token, or OAuth credentials, whose access tokens are
//! renewed.

use std::fmt;
use std::sync::Arc;

use reqwest::header::HeaderValue;
use secrecy::SecretString;

use super::bearer::header;
use super::error::Error;
use super::failure::Failure;
use super::oauth::{Oauth, OauthCredentials, Renewal, TokenCache};

/// The credentials of an account. `Debug` shows no secret.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Credentials {
    /// A token that is sent unchanged.
    Token(SecretString),
    /// OAuth credentials, and the cache in which the processes of this machine keep the access
    /// tokens.
    Oauth(OauthCredentials, Arc<dyn TokenCache>),
}

impl From<SecretString> for Credentials {
    fn from(token: SecretString) -> Self {
        Self::Token(token)
    }
}

pub(super) enum Bearer {
    Fixed(HeaderValue),
    Renewed(Arc<Oauth>),
}

#[derive(Debug, Clone)]
pub(super) struct SentBearer(pub(super) HeaderValue);

impl Bearer {
    pub(super) fn new(credentials: Credentials) -> Result<Self, Error> {
        Ok(match credentials {
            Credentials::Token(token) => Self::Fixed(header(&token)?),
            Credentials::Oauth(credentials, cache) => {
                Self::Renewed(Arc::new(Oauth::new(credentials, cache)))
            }
        })
    }

    /// Returns the header for a request; waits while the access token is being renewed.
    pub(super) async fn header(&self, renewal: Renewal<'_>) -> Result<HeaderValue, Failure> {
        match self {
            Self::Fixed(header) => Ok(header.clone()),
            // Boxed to keep the future of every call small.
            Self::Renewed(oauth) => Box::pin(oauth.header(renewal)).await,
        }
    }

    /// Records the outcome of a request. Returns `true` if the same request may succeed with
    /// another token.
    pub(super) fn learn(&self, sent: &HeaderValue, is_expired: bool) -> bool {
        match self {
            Self::Fixed(_) => false,
            Self::Renewed(oauth) => oauth.learn(sent, is_expired),
        }
    }
}

impl fmt::Debug for Bearer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bearer").finish_non_exhaustive()
    }
}
