//! The tokens that the service accepts, known only by their digests.

use std::sync::Arc;

use hmac::digest::CtOutput;
use jiff::Timestamp;
use secrecy::{ExposeSecret as _, SecretString};
use sha2::Sha256;

use super::credentials::{TokenDigest, digest};
use super::scopes::{Principal, Scopes};
use super::token_file::ListedToken;

const OWN_NAME: &str = "owner";

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
        let own = ListedToken {
            digest: digest(own.expose_secret()),
            caller: Arc::new(Principal { name: OWN_NAME.to_owned(), scopes: Scopes::All }),
            expires_at: None,
        };
        known.insert(0, own);
        Self { known }
    }

    /// Returns the owner of the token. Compares with all known tokens, so that every wrong one takes the same time.
    pub(crate) fn caller(&self, token: &str, now: Timestamp) -> Result<Arc<Principal>, TokenRejection> {
        let given = digest(token);
        // Takes the same time wherever two digests differ.
        let is_it = |known: &TokenDigest| CtOutput::<Sha256>::new((*known).into()) == CtOutput::new(given.into());
        let found = self.known.iter().fold(None, |found, known| if is_it(&known.digest) { Some(known) } else { found });
        let known = found.ok_or(TokenRejection::Unknown)?;
        match known.expires_at {
            Some(end) if end <= now => Err(TokenRejection::Expired(end)),
            _ => Ok(Arc::clone(&known.caller)),
        }
    }
}
