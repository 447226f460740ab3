//! The HTTP clients below an account's client: time-outs, redirects, proxies and certificates. Knows no token.

use std::time::Duration;

use reqwest::multipart::Form;
use reqwest::{Method, Request, Response};
use url::Url;

use super::call;
use super::error::{Error, Kind};
use super::failure::Failure;
use super::proxies::is_loopback;
use super::retry_budget::Timing;
use super::trust::ExtraRoots;
use crate::tls;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Servers close connections that are idle, some after five seconds. A request that is sent at that moment gets no answer,
/// and whether it was carried out is in doubt.
const IDLE_TIMEOUT: Duration = Duration::from_secs(4);

/// Two clients of one kind: bytes must not be unpacked on the way, and must not meet a total timeout.
#[derive(Clone)]
pub(super) struct Http {
    json: reqwest::Client,
    bytes: reqwest::Client,
}

/// Which of the two HTTP clients carries a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Transport {
    Json,
    /// Without timeouts of its own: the transfer watches its progress.
    Bytes,
}

impl Http {
    /// `local` is for `http` to this machine: no proxy, no certificates to load. Nothing of this machine goes by a proxy.
    pub(super) fn build(local: bool, base: &Url, roots: &ExtraRoots, timing: &Timing) -> Result<Self, Error> {
        let tls = if local { tls::without_authorities() } else { roots.client_config() };
        let tls = tls.map_err(|error| not_set_up(&error))?;
        let builder = || {
            let builder = reqwest::Client::builder()
                .user_agent(concat!("filedeck/", env!("CARGO_PKG_VERSION")))
                .redirect(reqwest::redirect::Policy::none())
                .referer(false)
                .connect_timeout(CONNECT_TIMEOUT)
                .pool_idle_timeout(IDLE_TIMEOUT)
                .tls_backend_preconfigured(tls.clone());
            if is_loopback(base) { builder.no_proxy() } else { builder }
        };
        let failed = |error: reqwest::Error| not_set_up(&error.without_url());
        Ok(Self {
            json: builder().read_timeout(timing.idle()).build().map_err(failed)?,
            bytes: builder().no_gzip().build().map_err(failed)?,
        })
    }

    /// Sends a request as it is.
    pub(super) async fn execute(&self, request: Request, carrier: Transport) -> Result<Response, Failure> {
        let http = match carrier {
            Transport::Json => &self.json,
            Transport::Bytes => &self.bytes,
        };
        http.execute(request).await.map_err(call::transport)
    }

    /// Begins a request whose body is a form; only reqwest's own builder can write one.
    pub(super) fn form(&self, method: Method, url: Url, form: Form) -> Result<Request, Failure> {
        self.bytes.request(method, url).multipart(form).build().map_err(call::transport)
    }
}

fn not_set_up(error: &dyn std::error::Error) -> Error {
    Error::new(Kind::Local, format!("The HTTP client could not be set up: {error}"))
}
