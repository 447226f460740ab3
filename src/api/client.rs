//! The HTTP client of one account, the only place that adds the token. The calls are in one file
//! per resource.

use std::fmt;
use std::sync::{Arc, OnceLock};

use jiff::Timestamp;
use reqwest::header::AUTHORIZATION;
use reqwest::multipart::Form;
use reqwest::{ClientBuilder, Method, Request, Response, StatusCode};
use serde::de::DeserializeOwned;
use tokio::time::Instant;
use url::Url;

use super::bandwidth::Bandwidth;
use super::call::{self, Responder};
use super::credentials::{Bearer, Credentials, SentBearer};
use super::deletion_answer::DeletionAnswer;
use super::error::{Error, Kind};
use super::failure::{Failure, Repeat, Verdict};
use super::http::{Http, HttpBuilder, Transport};
use super::json_call::Call;
use super::oauth::Renewal;
use super::observe::{Observation, Observer};
use super::paths::ApiPaths;
use super::proxies::{is_loopback, proxy_of};
use super::rate_limit::{RateLimit, RequestClass};
use super::retry::{Retries, with_retries};
use super::retry_budget::{LONGEST_WAIT, RetryBudget, Timing};
use super::shared_budget::{BudgetLedger, SharedBudget};
use super::version::Version;
use crate::tls::ExtraRoots;

/// Retries of a call that a user waits for.
const CALL_RETRIES: usize = 3;

/// Retries of a transfer. More, because on a bad line only retries keep a batch complete.
const TRANSFER_RETRIES: usize = 9;

/// The category of a 401 that reports an expired token (`contract.md#authentication`).
const EXPIRED: &str = "EXPIRED_AUTHENTICATION";

/// The account settings that a client needs.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Endpoint {
    /// `https`, or `http` on this machine. May include a path.
    pub base_url: Url,
    /// The credentials. Sent to `base_url` only.
    pub credentials: Credentials,
    /// Certificate authorities to trust in addition to the system's; for `https` only.
    pub roots: ExtraRoots,
    /// The version of the API.
    pub version: Version,
    /// The client's time limits.
    pub timing: Timing,
    pub(crate) http: HttpBuilder,
}

/// The address of HubSpot's API.
const HUBSPOT: &str = "https://api.hubapi.com";

impl Endpoint {
    /// Creates an endpoint for the service, or a stand-in, at this address, with the oldest
    /// supported version of the API and the system's certificate authorities.
    pub fn new(base_url: Url, credentials: impl Into<Credentials>) -> Self {
        let (roots, version, timing) =
            (ExtraRoots::default(), Version::default(), Timing::default());
        Self {
            base_url,
            credentials: credentials.into(),
            roots,
            version,
            timing,
            http: HttpBuilder::default(),
        }
    }

    /// Makes HTTP clients with `new_builder`, which sets their proxies, timeouts, resolver and the
    /// like. Redirects, idle connections and TLS remain the client's own.
    #[must_use]
    pub fn with_http(
        self,
        new_builder: impl Fn() -> ClientBuilder + Send + Sync + 'static,
    ) -> Self {
        let http = HttpBuilder(Arc::new(new_builder));
        Self { http, ..self }
    }
}

/// A client of one account. Clones are cheap and share connections and the rate limit.
#[derive(Clone)]
pub struct Client {
    shared: Arc<ClientInner>,
    observer: Observer,
    bandwidth: Bandwidth,
    /// Present if other processes use the account too.
    shared_budget: Option<Arc<SharedBudget>>,
    /// The budget of the operation that this clone works for. If `None`, every call has its own.
    retry_budget: Option<RetryBudget>,
}

struct ClientInner {
    paths: ApiPaths,
    base: Url,
    timing: Timing,
    roots: ExtraRoots,
    http: HttpBuilder,
    bearer: Bearer,
    limit: RateLimit,
    /// For `http` to this machine: uses no proxy and loads no certificates.
    local: OnceLock<Result<Http, Error>>,
    remote: OnceLock<Result<Http, Error>>,
}

impl Client {
    /// Creates a client. Refuses a plain `http` address outside this machine and a token that does
    /// not fit in a header. Sends nothing.
    ///
    /// # Errors
    ///
    /// If the address is not allowed or the token contains characters that cannot be sent.
    pub fn new(account: Endpoint) -> Result<Self, Error> {
        let (base, timing) = (account.base_url, account.timing);
        if !matches!(base.scheme(), "http" | "https") || base.host().is_none() {
            return Err(refused("The account's address must start with https://"));
        }
        if base.scheme() == "http" && !is_loopback(&base) {
            return Err(refused(
                "The account's address must be https: the token would be readable on the way",
            ));
        }
        if !base.username().is_empty() || base.password().is_some() {
            return Err(refused(
                "The account's address must not contain a user name or password",
            ));
        }
        let bearer = Bearer::new(account.credentials)?;
        let limit = if is_loopback(&base) {
            RateLimit::unlimited()
        } else {
            RateLimit::unknown_tier()
        };
        let client = Self {
            shared: Arc::new(ClientInner {
                paths: ApiPaths::new(&base, account.version),
                base,
                timing,
                roots: account.roots,
                http: account.http,
                bearer,
                limit,
                local: OnceLock::new(),
                remote: OnceLock::new(),
            }),
            observer: Observer::default(),
            bandwidth: Bandwidth::default(),
            shared_budget: None,
            retry_budget: None,
        };
        client.http(&client.shared.base)?;
        Ok(client)
    }

    /// Creates a client of HubSpot's API.
    ///
    /// # Errors
    ///
    /// If the token contains characters that cannot be sent.
    pub fn hubspot(credentials: impl Into<Credentials>) -> Result<Self, Error> {
        let base_url =
            Url::parse(HUBSPOT).map_err(|error| Error::new(Kind::Internal, error.to_string()))?;
        Self::new(Endpoint::new(base_url, credentials))
    }

    /// Returns a clone that reports waits and the request budget to `observer`.
    #[must_use]
    pub fn with_observer(&self, observer: Observer) -> Self {
        Self {
            observer,
            ..self.clone()
        }
    }

    /// Returns a clone whose transfers share this bandwidth limit with those of other clones.
    #[must_use]
    pub fn with_bandwidth(&self, bandwidth: Bandwidth) -> Self {
        Self {
            bandwidth,
            ..self.clone()
        }
    }

    /// Returns a clone that takes its requests from a budget that the processes of this machine
    /// share.
    #[must_use]
    #[doc(hidden)]
    pub fn with_budget_ledger(&self, ledger: Arc<dyn BudgetLedger>) -> Self {
        Self {
            shared_budget: Some(Arc::new(SharedBudget::new(ledger))),
            ..self.clone()
        }
    }

    /// Gives unused requests back to the shared budget.
    #[doc(hidden)]
    pub async fn give_back(&self) {
        if let Some(budget) = &self.shared_budget {
            budget.end().await;
        }
    }

    /// Returns a clone for one transfer: all calls through it, in whatever layer, share one budget
    /// of retries and time.
    #[must_use]
    pub fn with_transfer_budget(&self) -> Self {
        Self {
            retry_budget: Some(RetryBudget::new(self.shared.timing.stall, TRANSFER_RETRIES)),
            ..self.clone()
        }
    }

    /// Like `with_transfer_budget`, for a change that takes several calls.
    #[must_use]
    pub fn with_call_budget(&self) -> Self {
        Self {
            retry_budget: Some(RetryBudget::new(self.shared.timing.stall, CALL_RETRIES)),
            ..self.clone()
        }
    }

    /// Returns the budget of the operation that this clone works for, or a new one for a single
    /// call.
    #[doc(hidden)]
    pub fn retry_budget(&self) -> RetryBudget {
        self.retry_budget
            .clone()
            .unwrap_or_else(|| RetryBudget::new(self.shared.timing.stall, CALL_RETRIES))
    }

    /// Returns the client's time limits.
    pub fn timing(&self) -> Timing {
        self.shared.timing
    }

    pub(super) fn bandwidth(&self) -> &Bandwidth {
        &self.bandwidth
    }

    /// Returns the version of the API in use.
    pub fn version(&self) -> Version {
        self.shared.paths.version()
    }

    /// Returns the account's address, for messages and to tell accounts apart.
    pub fn base_url(&self) -> &Url {
        &self.shared.base
    }

    /// Returns the host and port of the proxy through which the account is reached.
    pub fn proxy(&self) -> Option<String> {
        proxy_of(&self.shared.base)
    }

    pub(super) fn paths(&self) -> &ApiPaths {
        &self.shared.paths
    }

    pub(super) fn observer(&self) -> &Observer {
        &self.observer
    }

    /// Returns retries for several steps that form one attempt and are repeated together where that
    /// is safe.
    pub(crate) fn retries(&self, repeat: Repeat) -> Retries {
        Retries::new(repeat, &self.observer, self.retry_budget())
    }

    /// Makes a call, with retries where that is safe, and parses its JSON answer.
    pub(super) async fn json<T: DeserializeOwned>(&self, call: Call) -> Result<T, Error> {
        let retry_budget = self.retry_budget();
        let retries = Retries::new(call.repeat, &self.observer, retry_budget.clone());
        let attempt = || self.send(&call, &retry_budget, call::json);
        Ok(with_retries(retries, attempt).await?)
    }

    /// Deletes. A 404 from the service counts as success only after an earlier attempt that may
    /// have worked (`guarantees.md#a-call-is-made-again-only-where-that-is-safe`).
    pub(super) async fn delete(&self, url: Url) -> Result<DeletionAnswer, Error> {
        let call = Call::new(Method::DELETE, url, Repeat::Safe, StatusCode::NO_CONTENT);
        let retry_budget = self.retry_budget();
        let retries = Retries::new(call.repeat, &self.observer, retry_budget.clone());
        match with_retries(retries, || {
            self.send(&call, &retry_budget, |answer| {
                let id = call::correlation_id(answer.headers());
                std::future::ready(Ok(DeletionAnswer::accepted(id)))
            })
        })
        .await
        {
            Err(failure) if failure.doubted_before && failure.error.kind == Kind::NotFound => {
                Ok(DeletionAnswer::missing(*failure.error))
            }
            other => Ok(other?),
        }
    }

    /// Sends one request to the account when the rate limit allows it, and reads the answer. Only a
    /// whole answer counts as progress, however slowly its bytes trickle in.
    async fn send<T, Read: Future<Output = Result<T, Failure>>>(
        &self,
        call: &Call,
        retry_budget: &RetryBudget,
        read: impl FnOnce(Response) -> Read,
    ) -> Result<T, Failure> {
        self.acquire(call.class, retry_budget).await;
        let whole = async {
            let answer = self
                .exchange(call.request(), Transport::Json, retry_budget)
                .await?;
            read(self.accept(answer, &[call.expected]).await?).await
        };
        let done = retry_budget.watch(whole).await?;
        retry_budget.moved();
        Ok(done)
    }

    pub(super) async fn acquire(&self, class: RequestClass, retry_budget: &RetryBudget) {
        let asked = Instant::now();
        self.shared.limit.acquire(class, &self.observer).await;
        if let Some(budget) = &self.shared_budget {
            budget
                .acquire(
                    class == RequestClass::Transfer,
                    self.shared.limit.max(),
                    &self.observer,
                )
                .await;
        }
        retry_budget.excuse(asked.elapsed());
    }

    /// Sends a request with the token, at once, and learns the rate limit from the headers,
    /// whatever the status.
    pub(super) async fn exchange(
        &self,
        mut request: Request,
        carrier: Transport,
        retry_budget: &RetryBudget,
    ) -> Result<Response, Failure> {
        let sent = self.authorize(&mut request, retry_budget).await?;
        let mut response = self.execute(request, carrier, retry_budget).await?;
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

    /// Passes on the responses that the contract names for the call. A rate-limit refusal holds
    /// back every clone for as long as the service asks, or as its rate limit requires.
    pub(super) async fn accept(
        &self,
        response: Response,
        expected: &[StatusCode],
    ) -> Result<Response, Failure> {
        let sent = response.extensions().get::<SentBearer>().cloned();
        let mut checked = call::check(response, Responder::Api, expected).await;
        let is_expired = checked
            .as_ref()
            .is_err_and(|failure| failure.error.category.as_deref() == Some(EXPIRED));
        let may_pass =
            sent.is_some_and(|SentBearer(sent)| self.shared.bearer.learn(&sent, is_expired));
        if let Err(failure) = &mut checked {
            if may_pass {
                failure.verdict = Verdict::Unprocessed;
            }
            let limited =
                failure.error.kind == Kind::RateLimited && failure.verdict == Verdict::Unprocessed;
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

    pub(super) fn form(&self, method: Method, url: Url, form: Form) -> Result<Request, Failure> {
        self.http(&url)?.form(method, url, form)
    }

    /// Sends a request unchanged, without a token and outside the rate limit.
    pub(super) async fn execute(
        &self,
        request: Request,
        carrier: Transport,
        retry_budget: &RetryBudget,
    ) -> Result<Response, Failure> {
        let response = self.http(request.url())?.execute(request, carrier).await?;
        if carrier == Transport::Bytes {
            retry_budget.moved();
        }
        Ok(response)
    }

    /// Returns `true` if the service runs on this machine.
    pub fn is_local(&self) -> bool {
        is_loopback(&self.shared.base)
    }

    /// Returns `true` if the token may be sent to this address.
    pub(super) fn is_own(&self, url: &Url) -> bool {
        url.origin() == self.shared.base.origin()
    }

    /// Adds the token, for the account's own origin only, and returns it. The only place that does.
    async fn authorize(
        &self,
        request: &mut Request,
        retry_budget: &RetryBudget,
    ) -> Result<SentBearer, Failure> {
        if !self.is_own(request.url()) {
            return Err(
                refused("The account's token is sent to the account's own address only").into(),
            );
        }
        let http = self.http(&self.shared.base)?;
        let url = self.paths().oauth_token();
        let bearer = self
            .shared
            .bearer
            .header(Renewal {
                http,
                url: &url,
                retry_budget,
                observer: self.observer(),
            })
            .await?;
        request.headers_mut().insert(AUTHORIZATION, bearer.clone());
        Ok(SentBearer(bearer))
    }

    fn http(&self, url: &Url) -> Result<&Http, Error> {
        let local = url.scheme() == "http" && is_loopback(url);
        let http = if local {
            &self.shared.local
        } else {
            &self.shared.remote
        };
        let ClientInner {
            base,
            roots,
            timing,
            http: new_builder,
            ..
        } = &*self.shared;
        http.get_or_init(|| Http::build(local, base, roots, timing, new_builder))
            .as_ref()
            .map_err(Clone::clone)
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (base, version) = (self.shared.base.as_str(), self.version());
        f.debug_struct("Client")
            .field("base_url", &base)
            .field("version", &version)
            .finish_non_exhaustive()
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
        Client::new(Endpoint::new(base_url, SecretString::from(token)))
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
        let base_url = Url::parse("http://127.0.0.1").unwrap();
        let account = Endpoint::new(base_url, SecretString::from("canary"));
        let shown = format!("{account:?} {:?}", Client::new(account.clone()).unwrap());
        assert!(!shown.contains("canary"), "{shown}");
    }

    #[tokio::test]
    async fn no_request_to_another_origin_gets_the_token() {
        let home = client("http://127.0.0.1:8787/base", "canary").unwrap();
        for other in [
            "http://127.0.0.1:8788/x",
            "https://127.0.0.1:8787/x",
            "http://localhost:8787/x",
        ] {
            let request = Request::new(Method::GET, Url::parse(other).unwrap());
            let failure = home
                .exchange(request, Transport::Json, &home.retry_budget())
                .await
                .unwrap_err();
            assert_eq!(failure.error.kind, Kind::Refused, "{other}");
        }
    }
}
