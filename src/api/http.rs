//! The HTTP clients that an account's client uses: timeouts, redirects, proxies and certificates.
//! Handles no tokens.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use reqwest::multipart::Form;
use reqwest::{Method, Request, Response};
use url::Url;

use super::call;
use super::error::{Error, Kind};
use super::failure::Failure;
use super::proxies::is_loopback;
use super::request_events::REQUESTS;
use super::retry_budget::Timing;
use crate::tls::{self, ExtraRoots};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Servers close idle connections, some after five seconds. A request sent at that moment is left
/// in doubt.
const IDLE_TIMEOUT: Duration = Duration::from_secs(4);

/// Makes the builders of HTTP clients.
#[derive(Clone)]
pub(crate) struct HttpBuilder(pub(super) Arc<dyn Fn() -> reqwest::ClientBuilder + Send + Sync>);

impl Default for HttpBuilder {
    fn default() -> Self {
        Self(Arc::new(|| {
            reqwest::Client::builder()
                .user_agent(concat!("filedeck/", env!("CARGO_PKG_VERSION")))
                .connect_timeout(CONNECT_TIMEOUT)
        }))
    }
}

impl fmt::Debug for HttpBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpBuilder").finish_non_exhaustive()
    }
}

/// Two clients, because file content must not be decompressed on the way or be subject to a read
/// timeout.
#[derive(Clone)]
pub(super) struct Http {
    json: reqwest::Client,
    bytes: reqwest::Client,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Transport {
    Json,
    /// Has no read timeout: the transfer monitors its own progress.
    Bytes,
}

impl Http {
    /// `local` is for `http` to this machine: loads no certificates. This machine is never reached
    /// through a proxy.
    pub(super) fn build(
        local: bool,
        base: &Url,
        roots: &ExtraRoots,
        timing: &Timing,
        new_builder: &HttpBuilder,
    ) -> Result<Self, Error> {
        let tls = if local {
            tls::without_authorities()
        } else {
            roots.client_config()
        };
        let mut tls = tls.map_err(|error| not_set_up(&error))?;
        tls.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        let builder = || {
            let builder = new_builder.0()
                .redirect(reqwest::redirect::Policy::none())
                .referer(false)
                .pool_idle_timeout(IDLE_TIMEOUT)
                .tls_backend_preconfigured(tls.clone());
            if is_loopback(base) {
                builder.no_proxy()
            } else {
                builder
            }
        };
        let failed = |error: reqwest::Error| not_set_up(&error.without_url());
        Ok(Self {
            json: builder()
                .read_timeout(timing.idle())
                .build()
                .map_err(failed)?,
            bytes: builder().no_gzip().build().map_err(failed)?,
        })
    }

    pub(super) async fn execute(
        &self,
        request: Request,
        carrier: Transport,
    ) -> Result<Response, Failure> {
        let http = match carrier {
            Transport::Json => &self.json,
            Transport::Bytes => &self.bytes,
        };
        let (method, url) = (request.method().clone(), request.url().clone());
        let begun = Instant::now();
        let response = http.execute(request).await;
        let status = response
            .as_ref()
            .map_or("no answer".to_owned(), |response| {
                response.status().as_u16().to_string()
            });
        // Not its query, which may be a signature.
        let address = format_args!("{}{}", url.origin().ascii_serialization(), url.path());
        tracing::debug!(target: REQUESTS, "{method} {address} {status} in {} ms", begun.elapsed().as_millis());
        response.map_err(call::transport)
    }

    /// Builds a request whose body is a form, which only reqwest's own builder can encode.
    pub(super) fn form(&self, method: Method, url: Url, form: Form) -> Result<Request, Failure> {
        self.bytes
            .request(method, url)
            .multipart(form)
            .build()
            .map_err(call::transport)
    }
}

fn not_set_up(error: &dyn std::error::Error) -> Error {
    Error::new(
        Kind::Local,
        format!("The HTTP client could not be set up: {error}"),
    )
}
