//! Access tokens of OAuth: a refresh token gets a new one before the old one ends, or once the service says that it has
//! ended. One process at a time does so, and the others use what it got (`contract.md#oauth-tokens`).

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

/// What an app got when it was installed in the account. `Debug` shows no secret.
#[derive(Debug, Clone)]
pub struct OauthCredentials {
    /// Names the app; no secret.
    pub client_id: String,
    /// The app's own secret.
    pub client_secret: SecretString,
    /// Gets access tokens until the app is uninstalled.
    pub refresh_token: SecretString,
}

/// What a renewal gave.
#[derive(Debug, Clone)]
pub struct OauthTokens {
    /// Opens the account until it ends.
    pub access_token: SecretString,
    /// The access token's end.
    pub ends: Timestamp,
    /// What the next renewal needs; the service may give a new one.
    pub refresh_token: SecretString,
    /// The access token's scopes; empty where the service did not list them.
    pub scopes: Vec<String>,
    /// The start of a renewal of these tokens whose answer has not come.
    pub renewal_began: Option<Timestamp>,
}

/// Where the processes of this machine keep an account's tokens.
pub trait TokenCache: fmt::Debug + Send + Sync {
    /// What is there.
    fn read(&self) -> BoxFuture<'_, Result<Option<OauthTokens>, Error>>;

    /// The leave to renew, as long as it is kept; none while another process has it.
    fn try_lock(&self) -> BoxFuture<'_, Result<Option<RenewalLock>, Error>>;

    /// Writes tokens; they are on the disk when this is done.
    fn write(&self, tokens: OauthTokens) -> BoxFuture<'_, Result<(), Error>>;

    /// Carries a renewal out: to its end, even if nobody waits for it anymore or the process is asked to end. The new
    /// refresh token would be lost otherwise.
    fn to_its_end(&self, renewal: BoxFuture<'static, ()>) -> BoxFuture<'_, ()>;
}

/// The leave to renew. It ends when this is dropped.
pub type RenewalLock = Box<dyn Send + Sync>;

/// An access token is renewed so long before it ends: what is under way then has to arrive yet.
const BEFORE_ITS_END: SignedDuration = SignedDuration::from_secs(60);
/// A renewal is one small call.
const RENEWAL_TIMEOUT: Duration = Duration::from_secs(30);
/// How long the renewal of another process is waited for, and how often it is looked at.
const LOCK_TIMEOUT: Duration = Duration::from_secs(45);
const LOCK_PAUSE: Duration = Duration::from_millis(50);

/// What a renewal needs of the call that it is for.
#[derive(Clone, Copy)]
pub(super) struct Renewal<'a> {
    pub(super) http: &'a Http,
    /// Where access tokens are asked for.
    pub(super) url: &'a Url,
    pub(super) patience: &'a RetryBudget,
    /// Is told what the access token may do.
    pub(super) observer: &'a Observer,
}

/// The tokens of one account.
pub(super) struct Oauth {
    credentials: OauthCredentials,
    cache: Arc<dyn TokenCache>,
    held: Mutex<Option<HeldToken>>,
    /// The tokens that could not be written, to be tried again.
    unsaved: Mutex<Option<OauthTokens>>,
    /// Held during a renewal: all requests wait for the same one.
    renewal: tokio::sync::Mutex<()>,
}

/// The access token in use.
struct HeldToken {
    header: HeaderValue,
    ends: Timestamp,
    grant: Option<GrantedScopes>,
    /// The service has said so.
    is_expired: bool,
    /// This process got it from the service, and the service has not taken it yet.
    is_untried: bool,
}

impl OauthTokens {
    /// No access token yet, only what gets one.
    fn none(refresh_token: &SecretString) -> Self {
        let (access_token, ends) = (SecretString::default(), Timestamp::UNIX_EPOCH);
        let refresh_token = refresh_token.clone();
        Self { access_token, ends, refresh_token, scopes: Vec::new(), renewal_began: None }
    }

    /// Whether the access token does not end soon.
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

    /// The header with an access token that has not ended; waits for a renewal, its own or that of another process.
    pub(super) async fn header(self: &Arc<Self>, renewal: Renewal<'_>) -> Result<HeaderValue, Failure> {
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
        renewal.patience.excuse(asked.elapsed());
        header
    }

    /// Takes note of an answer to a request that was sent with this header. Whether another token may help: never after
    /// the service refuses one that it has just given.
    pub(super) fn learn(&self, sent: &HeaderValue, is_expired: bool) -> bool {
        let mut held = self.held();
        match held.as_mut().filter(|held| held.header == *sent) {
            Some(held) if is_expired => held.is_expired = true,
            Some(held) => held.is_untried = false,
            None => {}
        }
        is_expired && !held.as_ref().is_some_and(|held| held.is_expired && held.is_untried)
    }

    fn valid(&self) -> Option<HeaderValue> {
        self.held().as_ref().filter(|held| !held.is_expired && lasts(held.ends)).map(|held| held.header.clone())
    }

    /// Whether the service has said of this access token that it has ended.
    fn is_known_expired(&self, token: &HeaderValue) -> bool {
        self.held().as_ref().is_some_and(|held| held.is_expired && held.header == *token)
    }

    fn hold(&self, tokens: &OauthTokens, is_untried: bool) -> Result<HeaderValue, Error> {
        let header = header(&tokens.access_token)?;
        let grant = GrantedScopes::of(&tokens.scopes);
        let held = HeldToken { header: header.clone(), ends: tokens.ends, grant, is_expired: false, is_untried };
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
            // Nobody may wait for it anymore.
            let _ = answer.send(renewed);
        };
        self.cache.to_its_end(Box::pin(work)).await;
        answered.await.map_err(|error| Error::new(Kind::Internal, error.to_string()))?
    }

    /// Gets new tokens for old ones. The disk knows of the attempt before the service does, until it has the new tokens
    /// or knows that there are none.
    async fn replace(&self, old: OauthTokens, http: &Http, url: &Url) -> Result<HeaderValue, Failure> {
        self.cache.write(OauthTokens { renewal_began: Some(Timestamp::now()), ..old.clone() }).await?;
        let Ok(asked) = timeout(RENEWAL_TIMEOUT, self.ask(http, url, &old)).await else {
            return Err(Error::new(Kind::Timeout, "The access token was not renewed in time").into());
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
                if failure.verdict == Verdict::Unprocessed || failure.error.kind == Kind::Unauthorized {
                    self.cache.write(old).await?;
                }
                // Whatever became of the renewal, the call that it is for was not sent.
                let was_tried = failure.verdict == Verdict::Doubtful;
                Err(Failure { verdict: if was_tried { Verdict::Unprocessed } else { failure.verdict }, ..failure })
            }
        }
    }

    /// Writes the tokens that are not written yet; they are used from memory all the same.
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
        Err(Error::new(Kind::Timeout, "Another filedeck has been renewing the account's access token for too long"))
    }

    /// Asks the service for an access token.
    async fn ask(&self, http: &Http, url: &Url, old: &OauthTokens) -> Result<OauthTokens, Failure> {
        let refresh_token = &old.refresh_token;
        let form = form_urlencoded::Serializer::new(String::new())
            .append_pair("grant_type", "refresh_token")
            .append_pair("client_id", &self.credentials.client_id)
            .append_pair("client_secret", self.credentials.client_secret.expose_secret())
            .append_pair("refresh_token", refresh_token.expose_secret())
            .finish();
        let mut request = Request::new(Method::POST, url.clone());
        let type_ = HeaderValue::from_static("application/x-www-form-urlencoded");
        request.headers_mut().insert(CONTENT_TYPE, type_);
        request.headers_mut().insert(ACCEPT, HeaderValue::from_static("application/json"));
        *request.body_mut() = Some(form.into());
        let asked_at = Timestamp::now();
        let response = http.execute(request, Transport::Json).await?;
        let checked = call::check(response, Responder::Api, &[StatusCode::OK]).await;
        let response = checked.map_err(|failure| self.refusal(failure, old))?;
        let answer: Value = call::json(response).await?;
        read(&answer, refresh_token, asked_at).ok_or_else(|| {
            let message = "The service's answer to the renewal of the access token has no token or no end";
            Error::new(Kind::Decode, message).into()
        })
    }

    /// Says of a refusal that it is about the credentials, in the service's words unless they repeat a secret.
    fn refusal(&self, failure: Failure, old: &OauthTokens) -> Failure {
        if !matches!(failure.error.kind, Kind::Invalid | Kind::Unauthorized | Kind::Forbidden) {
            return failure;
        }
        let secrets = [&old.refresh_token, &self.credentials.client_secret].map(ExposeSecret::expose_secret);
        let is_safe = |text: &String| !secrets.iter().any(|secret| text.contains(secret));
        let error = *failure.error;
        let details = [error.message].into_iter().chain(error.details).filter(is_safe).collect();
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
        Error { kind: Kind::Unauthorized, message, category, details, ..error }.into()
    }
}

/// Reads what the service gave. No error quotes it.
fn read(answer: &Value, refresh_token: &SecretString, asked_at: Timestamp) -> Option<OauthTokens> {
    let text = |name: &str| answer.get(name)?.as_str().filter(|text| !text.is_empty()).map(SecretString::from);
    let seconds = answer.get("expires_in")?.as_i64().filter(|seconds| *seconds > 0)?;
    let scopes = answer.get("scopes").and_then(Value::as_array).into_iter().flatten();
    Some(OauthTokens {
        access_token: text("access_token")?,
        ends: asked_at.checked_add(SignedDuration::from_secs(seconds)).ok()?,
        refresh_token: text("refresh_token").unwrap_or_else(|| refresh_token.clone()),
        scopes: scopes.filter_map(Value::as_str).map(str::to_owned).collect(),
        renewal_began: None,
    })
}

fn lasts(ends: Timestamp) -> bool {
    ends.duration_since(Timestamp::now()) > BEFORE_ITS_END
}
