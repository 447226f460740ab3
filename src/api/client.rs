//! The HTTP client of one account: the only place that adds the token, and the road that every call takes.
//! What is called lives in one file for each resource.

use std::fmt;
use std::sync::{Arc, OnceLock};

use jiff::Timestamp;
use reqwest::header::AUTHORIZATION;
use reqwest::multipart::Form;
use reqwest::{Method, Request, Response, StatusCode};
use serde::de::DeserializeOwned;
use tokio::time::Instant;
use url::Url;

use super::bandwidth::Bandwidth;
use super::call::{self, Responder};
use super::credentials::{Bearer, Credentials, SentBearer};
use super::error::{Error, Kind};
use super::failure::{Failure, Repeat, Verdict};
use super::http::{Http, Transport};
use super::json_call::Call;
use super::oauth::Renewal;
use super::observe::{Observation, Observer};
use super::paths::ApiPaths;
use super::proxies::is_loopback;
use super::rate_limit::{RateLimit, RequestClass};
use super::retry::{Retries, with_retries};
use super::retry_budget::{LONGEST_WAIT, RetryBudget, Timing};
use super::shared_budget::{BudgetLedger, SharedBudget};
use super::trust::ExtraRoots;
use super::version::Version;

/// Tries after the first one, of a call that a user waits for.
const CALL_RETRIES: usize = 3;

/// Tries after the first one, of a transfer: on a bad line they are all that keeps the batch whole.
const TRANSFER_RETRIES: usize = 9;

/// The category of a 401 that says that the token has ended (`contract.md#authentication`).
const EXPIRED: &str = "EXPIRED_AUTHENTICATION";

/// What a client needs to know of an account.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Endpoint {
    /// `https`, or `http` on this machine. May have a path of its own.
    pub base_url: Url,
    /// What opens it. It is sent to `base_url` only.
    pub credentials: Credentials,
    /// Authorities that are trusted besides those of the system; for `https` only.
    pub roots: ExtraRoots,
    /// The version of the API.
    pub version: Version,
    /// How long the client waits, and how often it tries.
    pub timing: Timing,
}

impl Endpoint {
    /// An account of the service at this address, or of a stand-in: the oldest version of the API that is supported, and the
    /// authorities of the system.
    pub fn new(base_url: Url, credentials: impl Into<Credentials>) -> Self {
        let (roots, version, timing) = (ExtraRoots::default(), Version::default(), Timing::default());
        Self { base_url, credentials: credentials.into(), roots, version, timing }
    }
}

/// Speaks to one account. Clones are cheap and share connections and the rate limit.
#[derive(Clone)]
pub struct Client {
    shared: Arc<ClientInner>,
    observer: Observer,
    bandwidth: Bandwidth,
    /// Where other processes use the account, too.
    shared_budget: Option<Arc<SharedBudget>>,
    /// Of the operation that this clone works for; without one, every call has its own.
    patience: Option<RetryBudget>,
}

struct ClientInner {
    paths: ApiPaths,
    base: Url,
    timing: Timing,
    roots: ExtraRoots,
    bearer: Bearer,
    limit: RateLimit,
    /// For `http` to this machine: no proxy, no certificates to load.
    local: OnceLock<Result<Http, Error>>,
    remote: OnceLock<Result<Http, Error>>,
}

impl Client {
    /// Refuses a plain `http` address outside this machine and a token that no header can carry. Sends nothing.
    ///
    /// # Errors
    ///
    /// If the address is not allowed or the token has characters that cannot be sent.
    pub fn new(account: Endpoint) -> Result<Self, Error> {
        let (base, timing) = (account.base_url, account.timing);
        if !matches!(base.scheme(), "http" | "https") || base.host().is_none() {
            return Err(refused("The account's address must start with https://"));
        }
        if base.scheme() == "http" && !is_loopback(&base) {
            return Err(refused("The account's address must be https: the token would be readable on the way"));
        }
        if !base.username().is_empty() || base.password().is_some() {
            return Err(refused("The account's address must not contain a user name or password"));
        }
        let bearer = Bearer::new(account.credentials)?;
        let limit = if is_loopback(&base) { RateLimit::unlimited() } else { RateLimit::unknown_tier() };
        let client = Self {
            shared: Arc::new(ClientInner {
                paths: ApiPaths::new(&base, account.version),
                base,
                timing,
                roots: account.roots,
                bearer,
                limit,
                local: OnceLock::new(),
                remote: OnceLock::new(),
            }),
            observer: Observer::default(),
            bandwidth: Bandwidth::default(),
            shared_budget: None,
            patience: None,
        };
        client.http(&client.shared.base)?;
        Ok(client)
    }

    /// A clone that tells `observer` of waits and of the request budget.
    #[must_use]
    pub fn observed(&self, observer: Observer) -> Self {
        Self { observer, ..self.clone() }
    }

    /// A clone whose transfers keep to this limit together with those of others.
    #[must_use]
    pub fn within(&self, bandwidth: Bandwidth) -> Self {
        Self { bandwidth, ..self.clone() }
    }

    /// A clone that takes its requests from the budget that processes of this machine share.
    #[must_use]
    #[doc(hidden)]
    pub fn sharing(&self, ledger: Arc<dyn BudgetLedger>) -> Self {
        Self { shared_budget: Some(Arc::new(SharedBudget::new(ledger))), ..self.clone() }
    }

    /// Gives what it took of the shared budget, and did not use, back to other processes.
    #[doc(hidden)]
    pub async fn give_back(&self) {
        if let Some(budget) = &self.shared_budget {
            budget.end().await;
        }
    }

    /// A clone for one transfer: all calls by it, in whatever layer, draw on one budget of tries and of time.
    #[must_use]
    pub fn for_transfer(&self) -> Self {
        Self { patience: Some(RetryBudget::new(self.shared.timing.stall, TRANSFER_RETRIES)), ..self.clone() }
    }

    /// As `for_transfer`, for a change that takes several calls.
    #[must_use]
    pub fn for_change(&self) -> Self {
        Self { patience: Some(RetryBudget::new(self.shared.timing.stall, CALL_RETRIES)), ..self.clone() }
    }

    /// The budget of the operation that this clone works for, or a new one for a single call.
    #[doc(hidden)]
    pub fn patience(&self) -> RetryBudget {
        self.patience.clone().unwrap_or_else(|| RetryBudget::new(self.shared.timing.stall, CALL_RETRIES))
    }

    /// How long this client waits.
    pub fn timing(&self) -> Timing {
        self.shared.timing
    }

    pub(super) fn bandwidth(&self) -> &Bandwidth {
        &self.bandwidth
    }

    /// The version of the API that is spoken.
    pub fn version(&self) -> Version {
        self.shared.paths.version()
    }

    /// The account's address, for messages and for telling accounts apart.
    pub fn base_url(&self) -> &Url {
        &self.shared.base
    }

    pub(super) fn paths(&self) -> &ApiPaths {
        &self.shared.paths
    }

    pub(super) fn observer(&self) -> &Observer {
        &self.observer
    }

    /// For several steps that make one attempt, and are made again where that is safe.
    #[doc(hidden)]
    pub fn retries(&self, repeat: Repeat) -> Retries<'_> {
        Retries::new(repeat, &self.observer, self.patience())
    }

    /// Makes a call, again where that is safe, and reads its JSON answer.
    pub(super) async fn json<T: DeserializeOwned>(&self, call: Call) -> Result<T, Error> {
        let patience = self.patience();
        let retries = Retries::new(call.repeat, &self.observer, patience.clone());
        let attempt = || self.send(&call, &patience, call::json);
        Ok(with_retries(retries, attempt).await?)
    }

    /// Deletes. The service's own word that nothing is there is success after an attempt that may have worked, and only
    /// then (`guarantees.md#a-call-is-made-again-only-where-that-is-safe`).
    pub(super) async fn delete(&self, url: Url) -> Result<(), Error> {
        let call = Call::new(Method::DELETE, url, Repeat::Safe, StatusCode::NO_CONTENT);
        let patience = self.patience();
        let retries = Retries::new(call.repeat, &self.observer, patience.clone());
        match with_retries(retries, || self.send(&call, &patience, |_| std::future::ready(Ok(())))).await {
            Err(failure) if failure.doubted_before && failure.error.kind == Kind::NotFound => Ok(()),
            other => Ok(other?),
        }
    }

    /// Sends one request to the account when the rate limit allows it, and reads the answer that the contract names. Only
    /// a whole answer counts as data that moved, however its bytes trickle.
    async fn send<T, Read: Future<Output = Result<T, Failure>>>(
        &self,
        call: &Call,
        patience: &RetryBudget,
        read: impl FnOnce(Response) -> Read,
    ) -> Result<T, Failure> {
        self.acquire(call.class, patience).await;
        let whole = async {
            let answer = self.exchange(call.request(), Transport::Json, patience).await?;
            read(self.accept(answer, &[call.expected]).await?).await
        };
        let done = patience.watch(whole).await?;
        patience.moved();
        Ok(done)
    }

    /// Waits for the rate limit's leave to send one request.
    pub(super) async fn acquire(&self, class: RequestClass, patience: &RetryBudget) {
        let asked = Instant::now();
        self.shared.limit.acquire(class, &self.observer).await;
        if let Some(budget) = &self.shared_budget {
            budget.acquire(class == RequestClass::Transfer, self.shared.limit.max(), &self.observer).await;
        }
        patience.excuse(asked.elapsed());
    }

    /// Sends a request with the token, at once, and learns from the answer's headers, whatever its status.
    pub(super) async fn exchange(
        &self,
        mut request: Request,
        carrier: Transport,
        patience: &RetryBudget,
    ) -> Result<Response, Failure> {
        let sent = self.authorize(&mut request, patience).await?;
        let mut response = self.execute(request, carrier, patience).await?;
        response.extensions_mut().insert(sent);
        if let Some((max, remaining)) = call::budget(response.headers()) {
            self.shared.limit.learn(max, remaining);
            self.observer.tell(Observation::Budget { remaining, max });
        }
        if let Some(ahead) = call::ahead(response.headers(), Timestamp::now()) {
            self.observer.tell(Observation::Clock { ahead });
        }
        Ok(response)
    }

    /// Passes on what the contract names for the call. A refusal for the rate holds every clone back for as long as the
    /// service asks, or as its rate limit takes.
    pub(super) async fn accept(&self, response: Response, expected: &[StatusCode]) -> Result<Response, Failure> {
        let sent = response.extensions().get::<SentBearer>().cloned();
        let mut checked = call::check(response, Responder::Api, expected).await;
        let is_expired = checked.as_ref().is_err_and(|failure| failure.error.category.as_deref() == Some(EXPIRED));
        let may_pass = sent.is_some_and(|SentBearer(sent)| self.shared.bearer.learn(&sent, is_expired));
        if let Err(failure) = &mut checked {
            if may_pass {
                failure.verdict = Verdict::Unprocessed;
            }
            let limited = failure.error.kind == Kind::RateLimited && failure.verdict == Verdict::Unprocessed;
            let wait = failure.error.retry_after.unwrap_or(failure.pause);
            if limited && wait <= LONGEST_WAIT {
                self.shared.limit.hold(wait);
                if let Some(budget) = &self.shared_budget {
                    budget.hold(wait).await;
                }
            }
        }
        checked
    }

    /// Begins a request whose body is a form.
    pub(super) fn form(&self, method: Method, url: Url, form: Form) -> Result<Request, Failure> {
        self.http(&url)?.form(method, url, form)
    }

    /// Sends a request as it is, without a token and outside the rate limit.
    pub(super) async fn execute(
        &self,
        request: Request,
        carrier: Transport,
        patience: &RetryBudget,
    ) -> Result<Response, Failure> {
        let response = self.http(request.url())?.execute(request, carrier).await?;
        if carrier == Transport::Bytes {
            patience.moved();
        }
        Ok(response)
    }

    /// Whether the service runs on this machine.
    pub fn is_local(&self) -> bool {
        is_loopback(&self.shared.base)
    }

    /// Whether the token may go to this address.
    pub(super) fn is_own(&self, url: &Url) -> bool {
        url.origin() == self.shared.base.origin()
    }

    /// Adds the token, to requests to the account's own origin only, and gives it back. The one place that does.
    async fn authorize(&self, request: &mut Request, patience: &RetryBudget) -> Result<SentBearer, Failure> {
        if !self.is_own(request.url()) {
            return Err(refused("The account's token is sent to the account's own address only").into());
        }
        let http = self.http(&self.shared.base)?;
        let url = self.paths().oauth_token();
        let bearer =
            self.shared.bearer.header(Renewal { http, url: &url, patience, observer: self.observer() }).await?;
        request.headers_mut().insert(AUTHORIZATION, bearer.clone());
        Ok(SentBearer(bearer))
    }

    fn http(&self, url: &Url) -> Result<&Http, Error> {
        let local = url.scheme() == "http" && is_loopback(url);
        let http = if local { &self.shared.local } else { &self.shared.remote };
        let ClientInner { base, roots, timing, .. } = &*self.shared;
        http.get_or_init(|| Http::build(local, base, roots, timing)).as_ref().map_err(Clone::clone)
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (base, version) = (self.shared.base.as_str(), self.version());
        f.debug_struct("Client").field("base_url", &base).field("version", &version).finish_non_exhaustive()
    }
}

fn refused(message: &str) -> Error {
    Error::new(Kind::Refused, message)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use secrecy::SecretString;

    use super::*;

    fn client(base: &str, token: &str) -> Result<Client, Error> {
        let base_url = Url::parse(base).unwrap();
        Client::new(Endpoint {
            base_url,
            credentials: SecretString::from(token).into(),
            roots: ExtraRoots::default(),
            version: Version::V3,
            timing: Timing::default(),
        })
    }

    #[rstest]
    #[case::plain_http_outside("http://api.example.com", "t")]
    #[case::plain_http_in_the_local_network("http://192.168.0.7:8787", "t")]
    #[case::other_scheme("ftp://127.0.0.1", "t")]
    #[case::password_in_the_address("http://user:secret@127.0.0.1", "t")]
    #[case::token_with_a_line_break("http://127.0.0.1", "a\r\nX-Evil: 1")]
    fn an_account_that_would_leak_its_token_is_refused(#[case] base: &str, #[case] token: &str) {
        let error = client(base, token).unwrap_err();
        assert_eq!(error.kind, Kind::Refused);
        assert!(!format!("{error:?}").contains("secret"));
    }

    #[rstest]
    #[case("http://127.0.0.1:8787")]
    #[case("http://[::1]:8787")]
    #[case("http://localhost:8787/base/")]
    fn this_machine_may_be_spoken_to_without_tls(#[case] base: &str) {
        assert!(client(base, "t").is_ok());
    }

    #[test]
    fn debug_output_shows_no_token() {
        let account = Endpoint {
            base_url: Url::parse("http://127.0.0.1").unwrap(),
            credentials: SecretString::from("canary").into(),
            roots: ExtraRoots::default(),
            version: Version::V3,
            timing: Timing::default(),
        };
        let shown = format!("{account:?} {:?}", Client::new(account.clone()).unwrap());
        assert!(!shown.contains("canary"), "{shown}");
    }

    #[tokio::test]
    async fn no_request_to_another_origin_gets_the_token() {
        let home = client("http://127.0.0.1:8787/base", "canary").unwrap();
        for other in ["http://127.0.0.1:8788/x", "https://127.0.0.1:8787/x", "http://localhost:8787/x"] {
            let request = Request::new(Method::GET, Url::parse(other).unwrap());
            let failure = home.exchange(request, Transport::Json, &home.patience()).await.unwrap_err();
            assert_eq!(failure.error.kind, Kind::Refused, "{other}");
        }
    }
}
