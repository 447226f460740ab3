//! Start and stop of the service: data directory, listener, connections. The same path for the TUI,
//! `serve` and tests.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use futures::future::OptionFuture;
use secrecy::SecretString;
use tokio::net::TcpListener;
use tokio::runtime::Handle;
use tokio::sync::{Mutex, Notify, SetOnce};
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};
use url::{Host, Url};

use super::access::accepted_credentials::{AcceptedCredentials, TokenPlaces};
use super::access::credential_error::CredentialError;
use super::access::token_source::TokenSource;
use super::access_log::AccessLog;
use super::answer::error::ApiError;
use super::connection_limits::ConnectionLimits;
use super::content::data_dir::Lock;
use super::content::reserve::DiskReserve;
use super::fetch::{AddressGuard, FetchLimits, Fetcher, SystemResolver};
use super::http::rate_limit::RateLimiter;
use super::http::{self, Connections, ProbesBesideApi, RouterOptions, TestControls, router};
use super::jobs::{self, Jobs, StartTime};
use super::metrics::{ConnectionMetrics, Metrics};
use super::options::ServiceOptions;
use super::start_error::StartError;
use super::state::{AppState, SharedState};
use super::store::{ServiceFlag, Store};
use super::{policy, seed, startup};

/// A service that accepts connections. Dropping it stops it without waiting for requests in
/// progress.
pub struct RunningService {
    base_url: Url,
    local_url: Url,
    metrics_addr: Option<SocketAddr>,
    token: SecretString,
    token_source: TokenSource,
    pub(super) state: AppState,
    server: JoinHandle<()>,
    jobs: Jobs,
    names_check: JoinHandle<()>,
    /// The controls of the test API, if there is one.
    pub(super) controls: Option<TestControls>,
    stop: CancellationToken,
    _stop_on_drop: DropGuard,
}

impl std::fmt::Debug for RunningService {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Running")
            .field("base_url", &self.base_url.as_str())
            .finish_non_exhaustive()
    }
}

/// Opens the data directory and serves the listener until the result is shut down or dropped.
pub async fn serve(
    listener: TcpListener,
    options: ServiceOptions,
) -> Result<RunningService, StartError> {
    let lock = startup::lock(&options.data_dir).await?;
    serve_locked(listener, options, lock).await
}

/// Like `serve`, for callers that already hold the directory's lock.
pub async fn serve_locked(
    listener: TcpListener,
    options: ServiceOptions,
    lock: Lock,
) -> Result<RunningService, StartError> {
    let dir = options.data_dir.clone();
    let clock = if options.test_api {
        options.clock.clone().made_movable()
    } else {
        options.clock.clone()
    };
    let local = listener.local_addr().map_err(StartError::Listener)?;
    let metrics_listener = metrics_listener(options.metrics_addr).await?;
    let access_log = options
        .access_log
        .clone()
        .map(open_access_log)
        .transpose()?;
    let checked = startup::check(&options).await?;
    let room = DiskReserve::of(&dir).await;
    let work = Arc::new(Notify::new());
    let opening = startup::open_when_there(&options, &work, &room, &checked);
    let (store, blobs) = Box::pin(opening).await?;
    if store
        .mark(ServiceFlag::BeingCopied)
        .await
        .map_err(StartError::store(&dir))?
        .is_some()
    {
        return Err(StartError::HalfCopied);
    }
    let (credentials, token_source) = credentials(&options, &store)
        .await
        .map_err(|error| StartError::Token(error.into()))?;
    let token = token_source
        .read(&dir)
        .map_err(|error| StartError::Token(error.into()))?;
    let max_file_bytes = blobs.largest().map_or(options.max_file_bytes, |most| {
        most.min(options.max_file_bytes)
    });
    let local_url = local_address(local)?;
    let base_url = options
        .base_url
        .clone()
        .unwrap_or_else(|| local_url.clone());
    let state = AppState::from(SharedState {
        store,
        blobs,
        room,
        metrics: Metrics::new(),
        clock,
        credentials,
        base_url: base_url.clone(),
        max_file_bytes,
        connections: options.connections.clone(),
        drawer: options.drawer,
        _lock: lock,
        work,
        stopping: CancellationToken::new(),
        names_checked: SetOnce::new(),
        round: Mutex::new(()),
    });
    let start_time = StartTime::read(&state).await;
    let unfilled = |error: ApiError| StartError::Fill {
        path: dir.clone(),
        reason: error.problem.message.unwrap_or_default(),
    };
    seed::fill_crm_usage(&state, options.crm_usage.as_ref())
        .await
        .map_err(unfilled)?;
    seed::fill_library(&state, options.sample)
        .await
        .map_err(unfilled)?;
    let limits = FetchLimits::new(max_file_bytes, policy::IMPORTS_AT_ONCE);
    let fetcher = Fetcher::new(
        AddressGuard::new(options.import_allow),
        limits,
        Arc::new(SystemResolver),
    )
    .trusting(options.import_roots);
    let limiter = RateLimiter::new(
        &options.rate_limits,
        state.clock.clone(),
        state.store.clone(),
        state.metrics.refusals.clone(),
    );
    let controls = if options.test_api {
        let database = state.store.embedded().ok_or(StartError::NoReset)?;
        let prepared = TestControls::prepare(&state, database, &dir, &options.faults).await;
        Some(prepared.map_err(StartError::store(&dir))?)
    } else {
        None
    };
    let jobs = Jobs::start(state.clone(), fetcher, start_time);
    let stop = CancellationToken::new();
    let tokens_read_every = options.tokens_read_every;
    let probes = probes_beside_api(
        metrics_listener.is_some(),
        is_for_this_machine(local, &base_url),
    );
    let options = RouterOptions {
        faults: options.faults,
        limiter,
        is_strict: options.strict,
        controls: controls.clone(),
        probes,
    };
    let router = router(&state, options);
    let mut metrics_addr = None;
    let probes_server = OptionFuture::from(metrics_listener.map(|listener| {
        metrics_addr = listener.local_addr().ok();
        let connections =
            Connections::new(ConnectionLimits::default(), ConnectionMetrics::default());
        // Probes are answered until the API has ended.
        connections.serve(listener, http::probes(&state), CancellationToken::new())
    }));
    let connections =
        Connections::new(state.connections.clone(), state.metrics.connections.clone());
    let connections = connections.noted_in(access_log);
    let api_server = connections.serve(listener, router, stop.clone());
    let current = state.clone();
    let server = tokio::spawn(async move {
        tokio::select! {
            () = api_server => {}
            Some(()) = probes_server => {}
            () = current.credentials.stay_current(&current.store, tokens_read_every) => {}
        }
    });
    // On a blocking thread, since it takes long in a large store.
    let checked_state = state.clone();
    let check = async move { startup::check_names(&dir, &checked_state, checked.had_log).await };
    let names_check = tokio::task::spawn_blocking(|| Handle::current().block_on(check));
    let stop_on_drop = stop.clone().drop_guard();
    Ok(RunningService {
        base_url,
        local_url,
        metrics_addr,
        token,
        token_source,
        state,
        server,
        jobs,
        names_check,
        controls,
        stop,
        _stop_on_drop: stop_on_drop,
    })
}

impl RunningService {
    pub fn base_url(&self) -> Url {
        self.base_url.clone()
    }

    /// Returns the address for clients on this machine, even if others reach the service through a
    /// proxy.
    pub fn local_url(&self) -> Url {
        self.local_url.clone()
    }

    /// Returns the address of the metrics and probes, if they have a listener of their own.
    pub fn metrics_addr(&self) -> Option<SocketAddr> {
        self.metrics_addr
    }

    pub fn token(&self) -> &SecretString {
        &self.token
    }

    /// Returns the source of that token.
    pub fn token_source(&self) -> &TokenSource {
        &self.token_source
    }

    /// Removes erased data from the database while requests are still answered, since others may
    /// not wait that long for it in a large store. Then stops accepting, waits up to ten seconds
    /// for requests in progress, and closes the store.
    pub async fn shutdown(self) {
        self.state.stopping.cancel();
        if let Err(error) = self.names_check.await {
            tracing::error!(%error, "the check of the blobs' names had failed");
        }
        let is_saved = self.jobs.stop().await;
        let store = self.state.store.clone();
        if store.is_there()
            && let Err(error) = jobs::scrub(&self.state).await
        {
            tracing::warn!(%error, "what is to be erased could not be yet; it is tried again once requests have ended");
        }
        self.stop.cancel();
        if let Err(error) = self.server.await {
            tracing::error!(%error, "the server ended badly");
        }
        if store.is_there()
            && let Err(error) = jobs::finish(&self.state).await
        {
            tracing::warn!(%error, "what is to be erased could not be; the next start does it");
        }
        if !is_saved {
            jobs::rescue(&store).await;
        }
        store.close().await;
    }
}

fn probes_beside_api(have_own_listener: bool, is_for_this_machine: bool) -> ProbesBesideApi {
    match (have_own_listener, is_for_this_machine) {
        (true, _) => ProbesBesideApi::None,
        (false, true) => ProbesBesideApi::All,
        (false, false) => ProbesBesideApi::WithoutMetrics,
    }
}

fn open_access_log(path: PathBuf) -> Result<AccessLog, StartError> {
    AccessLog::open(path.clone()).map_err(|source| StartError::AccessLog { path, source })
}

async fn credentials(
    options: &ServiceOptions,
    store: &Store,
) -> Result<(AcceptedCredentials, TokenSource), CredentialError> {
    let places = TokenPlaces {
        data_dir: options.data_dir.clone(),
        own: options.token.clone(),
        file: options.token_file.clone(),
        refuses_weak: options.refuse_weak_tokens,
    };
    AcceptedCredentials::load(places, store).await
}

async fn metrics_listener(address: Option<SocketAddr>) -> Result<Option<TcpListener>, StartError> {
    let Some(address) = address else {
        return Ok(None);
    };
    let listener = TcpListener::bind(address).await;
    listener
        .map(Some)
        .map_err(|source| StartError::MetricsListener { address, source })
}

/// Returns `true` if only this machine can reach the service. A service with another host name is
/// behind a proxy.
fn is_for_this_machine(local: SocketAddr, base_url: &Url) -> bool {
    let is_called_so = match base_url.host() {
        Some(Host::Domain(name)) => name.eq_ignore_ascii_case("localhost"),
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    };
    local.ip().is_loopback() && is_called_so
}

fn local_address(local: SocketAddr) -> Result<Url, StartError> {
    let ip = if local.ip().is_unspecified() {
        IpAddr::V4(Ipv4Addr::LOCALHOST)
    } else {
        local.ip()
    };
    let address = SocketAddr::new(ip, local.port());
    Url::parse(&format!("http://{address}/"))
        .map_err(|error| StartError::Listener(io::Error::other(error)))
}
