//! OAuth access tokens: a refresh token gets a new one shortly before the old one expires, or once
//! the service reports it as expired. One process renews at a time, and the others use the result
//! (`contract.md#oauth-tokens`).

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::future::BoxFuture;
use jiff::{SignedDuration, Timestamp};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderValue};
use reqwest::{Method, Request, StatusCode};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep, timeout};
use url::{Url, form_urlencoded};

use super::bearer::header;
use super::call::{self, Responder};
use super::error::{Error, Kind, OAUTH_REFUSED};
use super::failure::{Failure, Verdict};
use super::granted_scopes::GrantedScopes;
use super::http::{Http, Transport};
use super::observe::{Observation, Observer};
use super::retry_budget::RetryBudget;

/// The credentials that an app received when it was installed in the account. `Debug` shows no
/// secret.
#[derive(Debug, Clone)]
pub struct OauthCredentials {
    /// Identifies the app; not secret.
    pub client_id: String,
    /// The app's own secret.
    pub client_secret: SecretString,
    /// Gets access tokens until the app is uninstalled.
    pub refresh_token: SecretString,
}

/// The result of a renewal.
#[derive(Debug, Clone)]
pub struct OauthTokens {
    /// Grants access to the account until it expires.
    pub access_token: SecretString,
    /// The expiry of the access token.
    pub ends: Timestamp,
    /// The token for the next renewal; the service may issue a new one.
    pub refresh_token: SecretString,
    /// The access token's scopes; empty if the service did not list them.
    pub scopes: Vec<String>,
    /// The start of a renewal of these tokens that has not been answered.
    pub renewal_began: Option<Timestamp>,
}

/// The store in which the processes of this machine keep an account's tokens.
pub trait TokenCache: fmt::Debug + Send + Sync {
    /// Reads the stored tokens.
    fn read(&self) -> BoxFuture<'_, Result<Option<OauthTokens>, Error>>;

    /// Takes the lock for a renewal; `None` while another process holds it.
    fn try_lock(&self) -> BoxFuture<'_, Result<Option<RenewalLock>, Error>>;

    /// Stores tokens; they are on the disk when this completes.
    fn write(&self, tokens: OauthTokens) -> BoxFuture<'_, Result<(), Error>>;

    /// Runs a renewal to its end, even if the caller stops waiting or the process is asked to end:
    /// otherwise the new refresh token would be lost.
    fn to_its_end(&self, renewal: BoxFuture<'static, ()>) -> BoxFuture<'_, ()>;
}

/// The lock for a renewal, released when dropped.
pub type RenewalLock = Box<dyn Send + Sync>;

/// The time before its expiry at which a token is renewed, so that requests in flight still arrive
/// in time.
const BEFORE_ITS_END: SignedDuration = SignedDuration::from_secs(60);
/// A renewal is one small call.
const RENEWAL_TIMEOUT: Duration = Duration::from_secs(30);
/// The longest wait for another process's renewal, and the polling interval.
const LOCK_TIMEOUT: Duration = Duration::from_secs(45);
const LOCK_PAUSE: Duration = Duration::from_millis(50);

#[derive(Clone, Copy)]
pub(super) struct Renewal<'a> {
    pub(super) http: &'a Http,
    pub(super) url: &'a Url,
    pub(super) retry_budget: &'a RetryBudget,
    /// Receives the scopes of the access token.
    pub(super) observer: &'a Observer,
}

pub(super) struct Oauth {
    credentials: OauthCredentials,
    cache: Arc<dyn TokenCache>,
    held: Mutex<Option<HeldToken>>,
    /// Tokens that could not be stored, to be tried again.
    unsaved: Mutex<Option<OauthTokens>>,
    /// Held during a renewal, so that all requests wait for the same one.
    renewal: tokio::sync::Mutex<()>,
}

struct HeldToken {
    header: HeaderValue,
    ends: Timestamp,
    grant: Option<GrantedScopes>,
    /// Set once the service has reported the token as expired.
    is_expired: bool,
    /// Set while the service has not yet accepted this token, which this process got from it.
    is_untried: bool,
}

impl OauthTokens {
    fn none(refresh_token: &SecretString) -> Self {
        let (access_token, ends) = (SecretString::default(), Timestamp::UNIX_EPOCH);
        let refresh_token = refresh_token.clone();
        Self {
            access_token,
            ends,
            refresh_token,
            scopes: Vec::new(),
            renewal_began: None,
        }
    }

    fn lasts(&self) -> bool {
        lasts(self.ends)
    }
}

impl Oauth {
    pub(super) fn new(credentials: OauthCredentials, cache: Arc<dyn TokenCache>) -> Self {
        Self {
            credentials,
            cache,
            held: Mutex::default(),
            unsaved: Mutex::default(),
            renewal: tokio::sync::Mutex::default(),
        }
    }

    /// Returns a header with a valid access token; waits for a renewal by this process or another.
    pub(super) async fn header(
        self: &Arc<Self>,
        renewal: Renewal<'_>,
    ) -> Result<HeaderValue, Failure> {
        let header = self.current(renewal).await?;
        let grant = self.held().as_ref().and_then(|held| held.grant);
        if let Some(grant) = grant {
            renewal.observer.tell(Observation::Granted(grant));
        }
        Ok(header)
    }

    async fn current(self: &Arc<Self>, renewal: Renewal<'_>) -> Result<HeaderValue, Failure> {
        if let Some(header) = self.valid().filter(|_| self.unsaved().is_none()) {
            return Ok(header);
        }
        let asked = Instant::now();
        let _turn = self.renewal.lock().await;
        let header = match self.valid() {
            Some(header) => self.save().await.map(|()| header).map_err(Failure::from),
            None => self.renew(renewal).await,
        };
        renewal.retry_budget.excuse(asked.elapsed());
        header
    }

    /// Records the outcome of a request that was sent with this header. Returns `true` if another
    /// token may help: not if the service rejects one that it has just issued.
    pub(super) fn learn(&self, sent: &HeaderValue, is_expired: bool) -> bool {
        let mut held = self.held();
        match held.as_mut().filter(|held| held.header == *sent) {
            Some(held) if is_expired => held.is_expired = true,
            Some(held) => held.is_untried = false,
            None => {}
        }
        is_expired
            && !held
                .as_ref()
                .is_some_and(|held| held.is_expired && held.is_untried)
    }

    fn valid(&self) -> Option<HeaderValue> {
        self.held()
            .as_ref()
            .filter(|held| !held.is_expired && lasts(held.ends))
            .map(|held| held.header.clone())
    }

    fn is_known_expired(&self, token: &HeaderValue) -> bool {
        self.held()
            .as_ref()
            .is_some_and(|held| held.is_expired && held.header == *token)
    }

    fn hold(&self, tokens: &OauthTokens, is_untried: bool) -> Result<HeaderValue, Error> {
        let header = header(&tokens.access_token)?;
        let grant = GrantedScopes::of(&tokens.scopes);
        let held = HeldToken {
            header: header.clone(),
            ends: tokens.ends,
            grant,
            is_expired: false,
            is_untried,
        };
        *self.held() = Some(held);
        Ok(header)
    }

    fn held(&self) -> MutexGuard<'_, Option<HeldToken>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn unsaved(&self) -> MutexGuard<'_, Option<OauthTokens>> {
        self.unsaved.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn renew(self: &Arc<Self>, renewal: Renewal<'_>) -> Result<HeaderValue, Failure> {
        let alone = self.lock().await?;
        let kept = self.cache.read().await?;
        if let Some(kept) = kept.as_ref().filter(|kept| kept.lasts())
            && !self.is_known_expired(&header(&kept.access_token)?)
        {
            return Ok(self.hold(kept, false)?);
        }
        let kept = self.unsaved().take().or(kept);
        let old = kept.unwrap_or_else(|| OauthTokens::none(&self.credentials.refresh_token));
        let (answer, answered) = oneshot::channel();
        let (oauth, http, url) = (Arc::clone(self), renewal.http.clone(), renewal.url.clone());
        let work = async move {
            let renewed = oauth.replace(old, &http, &url).await;
            drop(alone);
            // The caller may have stopped waiting.
            let _ = answer.send(renewed);
        };
        self.cache.to_its_end(Box::pin(work)).await;
        answered
            .await
            .map_err(|error| Error::new(Kind::Internal, error.to_string()))?
    }

    /// Gets new tokens for old ones. The attempt is recorded on disk before the request is sent,
    /// and removed once the new tokens are stored or the service has certainly issued none.
    async fn replace(
        &self,
        old: OauthTokens,
        http: &Http,
        url: &Url,
    ) -> Result<HeaderValue, Failure> {
        self.cache
            .write(OauthTokens {
                renewal_began: Some(Timestamp::now()),
                ..old.clone()
            })
            .await?;
        let Ok(asked) = timeout(RENEWAL_TIMEOUT, self.ask(http, url, &old)).await else {
            return Err(
                Error::new(Kind::Timeout, "The access token was not renewed in time").into(),
            );
        };
        match asked {
            Ok(tokens) => {
                let header = self.hold(&tokens, true)?;
                *self.unsaved() = Some(tokens);
                self.save().await?;
                tracing::debug!("the access token was renewed");
                Ok(header)
            }
            Err(failure) => {
                if failure.verdict == Verdict::Unprocessed
                    || failure.error.kind == Kind::Unauthorized
                {
                    self.cache.write(old).await?;
                }
                // Whatever happened to the renewal, the call that needed it was not sent.
                let was_tried = failure.verdict == Verdict::Doubtful;
                Err(Failure {
                    verdict: if was_tried {
                        Verdict::Unprocessed
                    } else {
                        failure.verdict
                    },
                    ..failure
                })
            }
        }
    }

    /// Stores unsaved tokens, which are used from memory meanwhile.
    async fn save(&self) -> Result<(), Error> {
        let unsaved = self.unsaved().clone();
        if let Some(tokens) = unsaved {
            self.cache.write(tokens).await?;
            *self.unsaved() = None;
        }
        Ok(())
    }

    async fn lock(&self) -> Result<RenewalLock, Error> {
        let asked = Instant::now();
        while asked.elapsed() < LOCK_TIMEOUT {
            if let Some(lock) = self.cache.try_lock().await? {
                return Ok(lock);
            }
            sleep(LOCK_PAUSE).await;
        }
        Err(Error::new(
            Kind::Timeout,
            "Another filedeck has been renewing the account's access token for too long",
        ))
    }

    async fn ask(&self, http: &Http, url: &Url, old: &OauthTokens) -> Result<OauthTokens, Failure> {
        let refresh_token = &old.refresh_token;
        let form = form_urlencoded::Serializer::new(String::new())
            .append_pair("grant_type", "refresh_token")
            .append_pair("client_id", &self.credentials.client_id)
            .append_pair(
                "client_secret",
                self.credentials.client_secret.expose_secret(),
            )
            .append_pair("refresh_token", refresh_token.expose_secret())
            .finish();
        let mut request = Request::new(Method::POST, url.clone());
        let type_ = HeaderValue::from_static("application/x-www-form-urlencoded");
        request.headers_mut().insert(CONTENT_TYPE, type_);
        request
            .headers_mut()
            .insert(ACCEPT, HeaderValue::from_static("application/json"));
        *request.body_mut() = Some(form.into());
        let asked_at = Timestamp::now();
        let response = http.execute(request, Transport::Json).await?;
        let checked = call::check(response, Responder::Api, &[StatusCode::OK]).await;
        let response = checked.map_err(|failure| self.refusal(failure, old))?;
        let answer: Value = call::json(response).await?;
        read(&answer, refresh_token, asked_at).ok_or_else(|| {
            let message =
                "The service's answer to the renewal of the access token has no token or no end";
            Error::new(Kind::Decode, message).into()
        })
    }

    /// Reports a refusal as one of the credentials, in the service's words unless they contain a
    /// secret.
    fn refusal(&self, failure: Failure, old: &OauthTokens) -> Failure {
        if !matches!(
            failure.error.kind,
            Kind::Invalid | Kind::Unauthorized | Kind::Forbidden
        ) {
            return failure;
        }
        let secrets =
            [&old.refresh_token, &self.credentials.client_secret].map(ExposeSecret::expose_secret);
        let is_safe = |text: &String| !secrets.iter().any(|secret| text.contains(secret));
        let error = *failure.error;
        let details = [error.message]
            .into_iter()
            .chain(error.details)
            .filter(is_safe)
            .collect();
        let refused = "The service refused the account's OAuth credentials";
        let message = old.renewal_began.map_or_else(
            || refused.to_owned(),
            |began| {
                format!(
                    "{refused}. A renewal of the access token that began at {began:.0} was cut short before its answer \
                     was saved: the service may have given a new refresh token then, which is lost"
                )
            },
        );
        let category = Some(OAUTH_REFUSED.to_owned());
        Error {
            kind: Kind::Unauthorized,
            message,
            category,
            details,
            ..error
        }
        .into()
    }
}

/// Parses the tokens in the answer. No error quotes it.
fn read(answer: &Value, refresh_token: &SecretString, asked_at: Timestamp) -> Option<OauthTokens> {
    let text = |name: &str| {
        answer
            .get(name)?
            .as_str()
            .filter(|text| !text.is_empty())
            .map(SecretString::from)
    };
    let seconds = answer
        .get("expires_in")?
        .as_i64()
        .filter(|seconds| *seconds > 0)?;
    let scopes = answer
        .get("scopes")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    Some(OauthTokens {
        access_token: text("access_token")?,
        ends: asked_at
            .checked_add(SignedDuration::from_secs(seconds))
            .ok()?,
        refresh_token: text("refresh_token").unwrap_or_else(|| refresh_token.clone()),
        scopes: scopes
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect(),
        renewal_began: None,
    })
}

fn lasts(ends: Timestamp) -> bool {
    ends.duration_since(Timestamp::now()) > BEFORE_ITS_END
}
