//! What opens an account: a token that stays, or OAuth credentials, whose access tokens are renewed.

use std::fmt;
use std::sync::Arc;

use reqwest::header::HeaderValue;
use secrecy::SecretString;

use super::bearer::header;
use super::error::Error;
use super::failure::Failure;
use super::oauth::{Oauth, OauthCredentials, Renewal, TokenCache};

/// What opens an account. `Debug` shows no secret.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Credentials {
    /// A token that is sent as it is.
    Token(SecretString),
    /// What gets access tokens, and where the processes of this machine keep them.
    Oauth(OauthCredentials, Arc<dyn TokenCache>),
}

impl From<SecretString> for Credentials {
    fn from(token: SecretString) -> Self {
        Self::Token(token)
    }
}

/// Gives the header of each request.
pub(super) enum Bearer {
    Fixed(HeaderValue),
    Renewed(Arc<Oauth>),
}

/// The header that a request was sent with; goes along with its answer.
#[derive(Debug, Clone)]
pub(super) struct SentBearer(pub(super) HeaderValue);

impl Bearer {
    pub(super) fn new(credentials: Credentials) -> Result<Self, Error> {
        Ok(match credentials {
            Credentials::Token(token) => Self::Fixed(header(&token)?),
            Credentials::Oauth(credentials, cache) => Self::Renewed(Arc::new(Oauth::new(credentials, cache))),
        })
    }

    /// The header of a request that is about to be sent; waits while the access token is renewed.
    pub(super) async fn header(&self, renewal: Renewal<'_>) -> Result<HeaderValue, Failure> {
        match self {
            Self::Fixed(header) => Ok(header.clone()),
            // Boxed: it is in the future of every call.
            Self::Renewed(oauth) => Box::pin(oauth.header(renewal)).await,
        }
    }

    /// Takes note of how an answer turned out. Whether the same request may succeed with another token.
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
