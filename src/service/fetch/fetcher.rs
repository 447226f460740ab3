//! Opens an address: resolves its host once, checks every result, connects to nothing else, follows
//! redirects itself.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{ACCEPT_ENCODING, CONTENT_ENCODING, LOCATION};
use reqwest::{Client, Response, dns};
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout_at};
use tracing::{debug, warn};
use url::{Host, Url};

use super::content::FetchedContent;
use super::error::FetchError;
use super::guard::AddressGuard;
use super::resolve::Resolve;
use crate::tls::{self, Distrust, ExtraRoots};

/// Limits of one fetch, and of all together (`guarantees.md#imports-do-not-reach-inside`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FetchLimits {
    /// The size limit of a file, counted as its bytes arrive.
    pub(crate) max_bytes: u64,
    pub(crate) connect: Duration,
    /// The longest time without data.
    pub(crate) idle: Duration,
    pub(crate) total: Duration,
    pub(crate) redirects: usize,
    /// The number of concurrent fetches; others wait.
    pub(crate) parallel: usize,
}

impl FetchLimits {
    pub(crate) fn new(max_bytes: u64, parallel: usize) -> Self {
        Self {
            max_bytes,
            parallel,
            connect: Duration::from_secs(10),
            idle: Duration::from_secs(30),
            total: Duration::from_mins(10),
            redirects: 5,
        }
    }
}

/// Fetches the files of imports. Cheap to clone; clones share the limit on concurrent fetches.
#[derive(Debug, Clone)]
pub(crate) struct Fetcher {
    guard: AddressGuard,
    limits: FetchLimits,
    resolver: Arc<dyn Resolve>,
    running: Arc<Semaphore>,
    roots: ExtraRoots,
}

impl Fetcher {
    pub(crate) fn new(
        guard: AddressGuard,
        limits: FetchLimits,
        resolver: Arc<dyn Resolve>,
    ) -> Self {
        let running = Arc::new(Semaphore::new(limits.parallel));
        Self {
            guard,
            limits,
            resolver,
            running,
            roots: ExtraRoots::default(),
        }
    }

    pub(crate) fn trusting(self, roots: ExtraRoots) -> Self {
        Self { roots, ..self }
    }

    /// Returns as soon as the headers of a file have arrived; the body is read from the result.
    pub(crate) async fn open(&self, url: &str) -> Result<FetchedContent, FetchError> {
        let running = Arc::clone(&self.running)
            .acquire_owned()
            .await
            .map_err(|_| FetchError::Unreachable)?;
        let deadline = Instant::now() + self.limits.total;
        let mut url = check_url(url)?;
        for _ in 0..=self.limits.redirects {
            let response = timeout_at(deadline, self.get(&url))
                .await
                .map_err(|_| FetchError::Unreachable)??;
            let status = response.status();
            if status.is_redirection() {
                let next = response
                    .headers()
                    .get(LOCATION)
                    .and_then(|location| location.to_str().ok());
                let next = next.and_then(|location| url.join(location).ok());
                let next = next.ok_or(FetchError::Status(status.as_u16()))?;
                url = check_url(next.as_str()).map_err(|_| FetchError::Unreachable)?;
                continue;
            }
            if status != reqwest::StatusCode::OK {
                return Err(FetchError::Status(status.as_u16()));
            }
            if response
                .headers()
                .get(CONTENT_ENCODING)
                .is_some_and(|encoding| encoding != "identity")
            {
                return Err(FetchError::Encoded);
            }
            return FetchedContent::new(response, url, self.limits.max_bytes, deadline, running);
        }
        Err(FetchError::TooManyRedirects)
    }

    /// Sends one request, with a client that knows only the checked addresses of this host.
    async fn get(&self, url: &Url) -> Result<Response, FetchError> {
        let targets = self.targets(url).await?;
        // On a machine without certificate authorities, not even an unused TLS client could be
        // built.
        let tls = if url.scheme() == "http" {
            tls::without_authorities()
        } else {
            self.roots.client_config()
        };
        let tls = tls.map_err(|error| {
            warn!(%error, "TLS cannot be set up for an import");
            FetchError::Unreachable
        })?;
        let mut builder = Client::builder()
            .tls_backend_preconfigured(tls)
            .no_proxy()
            .no_gzip()
            .redirect(reqwest::redirect::Policy::none())
            .referer(false)
            .user_agent(concat!("filedeck/", env!("CARGO_PKG_VERSION"), " import"))
            .connect_timeout(self.limits.connect)
            .read_timeout(self.limits.idle)
            .pool_max_idle_per_host(0)
            .dns_resolver(Arc::new(NoNames));
        if let Some(host) = url.domain() {
            builder = builder.resolve_to_addrs(host, &targets);
        }
        let client = builder.build().map_err(unreachable)?;
        let request = client.get(url.clone()).header(ACCEPT_ENCODING, "identity");
        let response = request.send().await.map_err(unreachable)?;
        match response.remote_addr() {
            Some(peer) if targets.contains(&peer) => Ok(response),
            peer => {
                debug!(?peer, "import reached an address that was not judged");
                Err(FetchError::Unreachable)
            }
        }
    }

    /// Returns all addresses of the host if the guard permits every one of them.
    async fn targets(&self, url: &Url) -> Result<Vec<SocketAddr>, FetchError> {
        let port = url.port_or_known_default().ok_or(FetchError::Unreachable)?;
        let addresses = match url.host().ok_or(FetchError::Unreachable)? {
            Host::Ipv4(address) => vec![IpAddr::V4(address)],
            Host::Ipv6(address) => vec![IpAddr::V6(address)],
            Host::Domain(name) => {
                let found =
                    tokio::time::timeout(self.limits.connect, self.resolver.resolve(name)).await;
                found
                    .map_err(|_| FetchError::Unreachable)?
                    .map_err(|_| FetchError::Unreachable)?
            }
        };
        let targets: Vec<_> = addresses
            .into_iter()
            .map(|address| SocketAddr::new(address, port))
            .collect();
        let refused = targets.iter().find(|target| !self.guard.permits(**target));
        if let Some(refused) = refused {
            debug!(%refused, "import refused: the address is not public");
        }
        if refused.is_some() || targets.is_empty() {
            Err(FetchError::Unreachable)
        } else {
            Ok(targets)
        }
    }
}

/// Parses an address and refuses one that could never be fetched, whatever it resolves to.
pub(crate) fn check_url(text: &str) -> Result<Url, FetchError> {
    let url = Url::parse(text.trim())
        .map_err(|_| FetchError::InvalidUrl("it cannot be read as an address"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(FetchError::InvalidUrl("only http and https are supported"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(FetchError::InvalidUrl(
            "it must not hold a user name or password",
        ));
    }
    if url.host().is_none() {
        return Err(FetchError::InvalidUrl("it names no host"));
    }
    Ok(url)
}

fn unreachable(error: reqwest::Error) -> FetchError {
    if let Some(distrust) = Distrust::of(&error) {
        debug!(
            reason = distrust.with_advice("--ca-cert FILE"),
            "the server of an import is not trusted"
        );
        return FetchError::Untrusted(distrust.reason);
    }
    debug!(error = %error.without_url(), "import could not connect");
    FetchError::Unreachable
}

/// A resolver that fails, so that a name without checked addresses is not looked up behind the
/// guard's back.
struct NoNames;

impl dns::Resolve for NoNames {
    fn resolve(&self, _: dns::Name) -> dns::Resolving {
        Box::pin(async { Err("names are resolved before the request".into()) })
    }
}

#[cfg(test)]
mod tests;
