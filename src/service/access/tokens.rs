//! The tokens that the service accepts, known only by their digests.

use std::sync::Arc;

use hmac::digest::CtOutput;
use jiff::Timestamp;
use secrecy::{ExposeSecret as _, SecretString};
use sha2::Sha256;

use super::scopes::{Principal, Scopes};
use super::token_file::ListedToken;
use super::token_source::{TokenDigest, is_weak};

const OWN_NAME: &str = "owner";

#[derive(PartialEq)]
pub(crate) struct AcceptedTokens {
    known: Vec<ListedToken>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenRejection {
    Unknown,
    Expired(Timestamp),
}

impl AcceptedTokens {
    pub(crate) fn new(own: &SecretString, mut known: Vec<ListedToken>) -> Self {
        let token = TokenDigest::of(own.expose_secret());
        let caller = Arc::new(Principal {
            name: OWN_NAME.to_owned(),
            scopes: Scopes::All,
            token,
        });
        known.insert(
            0,
            ListedToken {
                caller,
                expires_at: None,
                is_weak: is_weak(own),
            },
        );
        Self { known }
    }

    /// Returns the owner of the token. Compares with all known tokens, so that every wrong one
    /// takes the same time.
    pub(crate) fn caller(
        &self,
        token: &str,
        now: Timestamp,
    ) -> Result<Arc<Principal>, TokenRejection> {
        let given = TokenDigest::of(token);
        // Takes the same time wherever two digests differ.
        let is_it = |known: &TokenDigest| {
            CtOutput::<Sha256>::new(known.0.into()) == CtOutput::new(given.0.into())
        };
        let found = self.known.iter().fold(None, |found, known| {
            if is_it(&known.caller.token) {
                Some(known)
            } else {
                found
            }
        });
        let known = found.ok_or(TokenRejection::Unknown)?;
        match known.expires_at {
            Some(end) if end <= now => Err(TokenRejection::Expired(end)),
            _ => Ok(Arc::clone(&known.caller)),
        }
    }

    /// Returns the owners of all tokens that are valid at this time.
    pub(crate) fn callers(&self, now: Timestamp) -> impl Iterator<Item = &Arc<Principal>> {
        self.known
            .iter()
            .filter(move |known| known.expires_at.is_none_or(|end| now < end))
            .map(|known| &known.caller)
    }

    /// Returns the names of tokens that can be guessed.
    pub(crate) fn weak(&self) -> impl Iterator<Item = &str> {
        self.known
            .iter()
            .filter(|known| known.is_weak)
            .map(|known| known.caller.name.as_str())
    }
}
