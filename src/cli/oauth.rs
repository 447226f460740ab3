//! The cached tokens of an OAuth account, as the client uses them: off the threads that serve
//! requests, and with renewals that only a kill cuts short.

use futures::FutureExt as _;
use futures::future::BoxFuture;
use url::Url;

use super::setup::Setup;
use crate::api::{
    Credentials, Error, Kind, OauthCredentials, OauthTokens, RenewalLock, TokenCache,
};
use crate::config::{CachedTokens, OauthCache, RemoteAccount, RemoteCredentials};
use crate::signals::SignalHold;

#[derive(Debug)]
struct SharedTokens(OauthCache);

pub(super) fn credentials(setup: &Setup, name: &str, account: &RemoteAccount) -> Credentials {
    match &account.credentials {
        RemoteCredentials::Token(token) => Credentials::Token(token.clone()),
        RemoteCredentials::Oauth(file) => {
            let cache = OauthCache::new(&setup.paths, name, &file.fingerprint(&account.base_url));
            let credentials = OauthCredentials {
                client_id: file.client_id.clone(),
                client_secret: file.client_secret.clone(),
                refresh_token: file.refresh_token.clone(),
            };
            Credentials::Oauth(credentials, std::sync::Arc::new(SharedTokens(cache)))
        }
    }
}

/// Removes the account's cached tokens, except those of its current credentials.
pub(super) fn forget(
    setup: &Setup,
    name: &str,
    now: Option<(&RemoteCredentials, &Url)>,
) -> std::io::Result<()> {
    let kept = match now {
        Some((RemoteCredentials::Oauth(file), address)) => Some(OauthCache::new(
            &setup.paths,
            name,
            &file.fingerprint(address),
        )),
        Some((RemoteCredentials::Token(_), _)) | None => None,
    };
    OauthCache::forget(&setup.paths, name, kept.as_ref())
}

impl SharedTokens {
    /// Runs `what` on the cache in a blocking task.
    fn with<T: Send + 'static>(
        &self,
        what: impl FnOnce(&OauthCache) -> Result<T, Error> + Send + 'static,
    ) -> BoxFuture<'_, Result<T, Error>> {
        let cache = self.0.clone();
        async move {
            let done = tokio::task::spawn_blocking(move || what(&cache)).await;
            done.map_err(|error| Error::new(Kind::Internal, error.to_string()))?
        }
        .boxed()
    }
}

impl TokenCache for SharedTokens {
    fn read(&self) -> BoxFuture<'_, Result<Option<OauthTokens>, Error>> {
        self.with(|cache| {
            let kept = cache
                .read()
                .map_err(|error| Error::new(Kind::Local, error.to_string()))?;
            Ok(kept.map(
                |CachedTokens {
                     access_token,
                     ends,
                     refresh_token,
                     scopes,
                     renewal_began,
                 }| OauthTokens {
                    access_token,
                    ends,
                    refresh_token,
                    scopes,
                    renewal_began,
                },
            ))
        })
    }

    fn try_lock(&self) -> BoxFuture<'_, Result<Option<RenewalLock>, Error>> {
        self.with(|cache| match cache.try_lock() {
            Ok(lock) => Ok(lock.map(|lock| Box::new(lock) as RenewalLock)),
            Err(error) => Err(Error::local(
                "Cannot renew the access token: its file cannot be locked",
                &error,
            )),
        })
    }

    fn write(&self, tokens: OauthTokens) -> BoxFuture<'_, Result<(), Error>> {
        self.with(move |cache| {
            let OauthTokens { access_token, ends, refresh_token, scopes, renewal_began } = tokens;
            let written = cache.write(&CachedTokens { access_token, ends, refresh_token, scopes, renewal_began });
            let what = if renewal_began.is_some() {
                "Nothing was sent, because the renewal of the access token cannot be noted; make room there"
            } else {
                "The account's new tokens are in the memory of this process alone, and lost when it ends; make room there, and do anything on the account with this filedeck. Once it has ended, sign in again: install the app again and store its new refresh token"
            };
            written.map_err(|error| Error::local(what, &error))
        })
    }

    fn to_its_end(&self, renewal: BoxFuture<'static, ()>) -> BoxFuture<'_, ()> {
        let hold = SignalHold::begin();
        let work = tokio::spawn(async move {
            renewal.await;
            drop(hold);
        });
        async move { drop(work.await) }.boxed()
    }
}
