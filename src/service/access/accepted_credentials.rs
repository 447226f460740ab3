//! The tokens and the signing key that are in force. They are read again while the service runs, so
//! that a token that was removed from its file, or a key that was replaced, ends soon in every
//! process of the store.

use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use jiff::Timestamp;
use secrecy::{ExposeSecret as _, SecretString};

use super::credential_error::CredentialError;
use super::random_secret::random_secret;
use super::scopes::Principal;
use super::signing::{Grant, Signer};
use super::token_file::TokenFile;
use super::token_source::TokenSource;
use super::tokens::{AcceptedTokens, TokenRejection};
use crate::service::store::Store;

/// The places that tokens are read from.
#[derive(Debug, Clone)]
pub(crate) struct TokenPlaces {
    pub(crate) data_dir: PathBuf,
    /// The token with all permissions, unless the file has it.
    pub(crate) own: TokenSource,
    pub(crate) file: Option<PathBuf>,
    pub(crate) refuses_weak: bool,
}

struct ReadTokens {
    own: TokenSource,
    accepted: AcceptedTokens,
}

impl TokenPlaces {
    fn read(&self) -> Result<ReadTokens, CredentialError> {
        let (own, listed) = match self.file.as_deref().map(TokenFile::read).transpose()? {
            Some(TokenFile::One(token)) => (TokenSource::Given(token), Vec::new()),
            Some(TokenFile::List(tokens)) => (self.own.clone(), tokens),
            None => (self.own.clone(), Vec::new()),
        };
        let accepted = AcceptedTokens::new(&own.read(&self.data_dir)?, listed);
        if let Some(name) = accepted.weak().next().filter(|_| self.refuses_weak) {
            return Err(CredentialError::Weak {
                name: name.to_owned(),
            });
        }
        Ok(ReadTokens { own, accepted })
    }
}

pub(crate) struct AcceptedCredentials {
    places: TokenPlaces,
    in_force: RwLock<Arc<CurrentCredentials>>,
}

struct CurrentCredentials {
    tokens: AcceptedTokens,
    key: SecretString,
    signer: Signer,
}

impl AcceptedCredentials {
    /// Reads the tokens and the key, which are created if they are missing. Also returns the source
    /// of the token with all permissions.
    pub(crate) async fn load(
        places: TokenPlaces,
        store: &Store,
    ) -> Result<(Self, TokenSource), CredentialError> {
        places.own.prepare(&places.data_dir)?;
        let ReadTokens { own, accepted } = places.read()?;
        for name in accepted.weak() {
            tracing::warn!(
                name,
                "this token has fewer than 16 characters and can be guessed; use a longer one"
            );
        }
        let in_force = RwLock::new(Arc::new(CurrentCredentials::new(
            accepted,
            key(store).await?,
        )));
        Ok((Self { places, in_force }, own))
    }

    fn in_force(&self) -> Arc<CurrentCredentials> {
        Arc::clone(&self.in_force.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn caller(
        &self,
        token: &str,
        now: Timestamp,
    ) -> Result<Arc<Principal>, TokenRejection> {
        self.in_force().tokens.caller(token, now)
    }

    pub(crate) fn sign(&self, grant: &Grant, maker: &Principal) -> String {
        self.in_force().signer.sign(grant, maker)
    }

    /// Returns the caller who signed exactly this grant and whose token is still valid.
    pub(crate) fn maker(
        &self,
        grant: &Grant,
        signature: &str,
        now: Timestamp,
    ) -> Option<Arc<Principal>> {
        let in_force = self.in_force();
        in_force
            .tokens
            .callers(now)
            .find(|caller| in_force.signer.accepts(grant, caller, signature))
            .cloned()
    }

    /// Reads tokens and key again and again. What cannot be read stays in force, with a warning.
    pub(crate) async fn stay_current(&self, store: &Store, every: Duration) {
        let mut last_failure = None;
        loop {
            tokio::time::sleep(every).await;
            let failure = self
                .refresh(store)
                .await
                .err()
                .map(|error| error.to_string());
            if let Some(error) = failure.as_ref().filter(|_| failure != last_failure) {
                tracing::warn!(
                    error,
                    "the tokens cannot be read again; those that were read before stay valid"
                );
            }
            last_failure = failure;
        }
    }

    async fn refresh(&self, store: &Store) -> Result<(), CredentialError> {
        let places = self.places.clone();
        let read = tokio::task::spawn_blocking(move || places.read()).await;
        let ReadTokens { accepted, .. } =
            read.map_err(|error| CredentialError::Ended(error.to_string()))??;
        let fresh = CurrentCredentials::new(accepted, key(store).await?);
        if !self.in_force().is_same(&fresh) {
            tracing::info!("tokens or the signing key have changed; the new ones are in force");
            *self
                .in_force
                .write()
                .unwrap_or_else(PoisonError::into_inner) = Arc::new(fresh);
        }
        Ok(())
    }

    #[cfg(test)]
    pub(crate) fn for_test(data_dir: PathBuf, token: SecretString) -> Self {
        let accepted = AcceptedTokens::new(&token, Vec::new());
        let places = TokenPlaces {
            data_dir,
            own: TokenSource::Given(token),
            file: None,
            refuses_weak: false,
        };
        Self {
            places,
            in_force: RwLock::new(Arc::new(CurrentCredentials::new(accepted, "key".into()))),
        }
    }
}

impl CurrentCredentials {
    fn new(tokens: AcceptedTokens, key: SecretString) -> Self {
        Self {
            tokens,
            signer: Signer::new(&key),
            key,
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        self.tokens == other.tokens && self.key.expose_secret() == other.key.expose_secret()
    }
}

async fn key(store: &Store) -> Result<SecretString, CredentialError> {
    let key = store.signing_key_or(random_secret()?).await;
    key.map_err(|error| CredentialError::SigningKey(Box::new(error)))
}
