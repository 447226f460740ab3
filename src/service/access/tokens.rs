//! The tokens that the service accepts, each known by its digest alone.

use std::sync::Arc;

use hmac::digest::CtOutput;
use jiff::Timestamp;
use secrecy::{ExposeSecret as _, SecretString};
use sha2::Sha256;

use super::credentials::{TokenDigest, digest};
use super::scopes::{Principal, Scopes};
use super::token_file::ListedToken;

/// What the service's own token is called beside the listed ones.
const OWN_NAME: &str = "owner";

pub(crate) struct AcceptedTokens {
    known: Vec<ListedToken>,
}

/// Why a token opens nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenRejection {
    Unknown,
    Expired(Timestamp),
}

impl AcceptedTokens {
    /// `own` allows everything and never ends.
    pub(crate) fn new(own: &SecretString, mut known: Vec<ListedToken>) -> Self {
        let own = ListedToken {
            digest: digest(own.expose_secret()),
            caller: Arc::new(Principal { name: OWN_NAME.to_owned(), scopes: Scopes::All }),
            expires_at: None,
        };
        known.insert(0, own);
        Self { known }
    }

    /// Whose token this is. Takes the same time for every wrong one, which is compared with all that are known.
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
