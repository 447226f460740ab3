//! Starting and stopping: the data directory, the listener, the connections. One path for the TUI, `serve` and tests.

use std::collections::HashSet;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use secrecy::SecretString;
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};
use url::Url;

use super::access::signing::Signer;
use super::access::tokens::Tokens;
use super::blobs::Blobs;
use super::data_dir;
use super::error::ApiError;
use super::fetch::{FetchLimits, Fetcher, Guard, SystemResolver};
use super::jobs::{self, Jobs};
use super::layers::rate_limit::RateLimiter;
use super::options::Options;
use super::policy;
use super::router::router;
use super::seed;
use super::state::AppState;
use super::store::Store;

mod connections;

/// Why the service did not start. Every message names the path.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("another filedeck uses the data directory {0}; stop it, or name another directory")]
    InUse(PathBuf),
    #[error("the data directory {path} cannot be used")]
    DataDir { path: PathBuf, source: std::io::Error },
    #[error(
        "the store in {0} has files but lost its database filedeck.db; put that back, or move its folder blobs away"
    )]
    NoDatabase(PathBuf),
    #[error("the token cannot be read or made")]
    Token(#[source] std::io::Error),
    #[error("the store in {path} cannot be opened")]
    Store { path: PathBuf, source: Box<dyn std::error::Error + Send + Sync> },
    #[error("the store in {path} could not be filled: {reason}")]
    Fill { path: PathBuf, reason: String },
    #[error("the listener has no address")]
    Listener(#[source] std::io::Error),
}

/// A service that accepts connections. Dropped, it stops without waiting for what is under way.
pub struct Running {
    base_url: Url,
    local_url: Url,
    token: SecretString,
    state: AppState,
    server: JoinHandle<()>,
    jobs: Jobs,
    stop: CancellationToken,
    _stop_on_drop: DropGuard,
}

impl std::fmt::Debug for Running {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Running").field("base_url", &self.base_url.as_str()).finish_non_exhaustive()
    }
}

/// Opens the data directory and serves the listener until the result is shut down or dropped.
pub async fn start(listener: TcpListener, options: Options) -> Result<Running, StartError> {
    let dir = options.data_dir.clone();
    let local = listener.local_addr().map_err(StartError::Listener)?;
    let lock = open_data_dir(&dir)?;
    let token = options.token.load(&dir).map_err(StartError::Token)?;
    let (store, blobs) = open_store(&dir, options.clock.now()).await?;
    let local_url = address(local)?;
    let base_url = options.base_url.clone().unwrap_or_else(|| local_url.clone());
    let state = AppState {
        store,
        blobs,
        clock: options.clock.clone(),
        tokens: Arc::new(Tokens::new(&token, options.listed_tokens.clone())),
        signer: Arc::new(Signer::new(&token)),
        base_url: Arc::new(base_url.clone()),
        max_file_bytes: options.max_file_bytes,
        _lock: Arc::new(lock),
        work: Arc::new(Notify::new()),
    };
    fill(&state, &options)
        .await
        .map_err(|error| StartError::Fill { path: dir, reason: error.problem.message.unwrap_or_default() })?;
    let jobs = Jobs::start(state.clone(), fetcher(&options));
    let limiter = RateLimiter::new(&options.rate_limits, state.clock.clone());
    let stop = CancellationToken::new();
    let router = router(&state, options.faults, limiter);
    let server = tokio::spawn(connections::serve(listener, router, stop.clone()));
    let stop_on_drop = stop.clone().drop_guard();
    Ok(Running { base_url, local_url, token, state, server, jobs, stop, _stop_on_drop: stop_on_drop })
}

impl Running {
    /// Where clients reach the service.
    pub fn base_url(&self) -> Url {
        self.base_url.clone()
    }

    /// Where clients on this machine reach it, whatever is in between for others.
    pub fn local_url(&self) -> Url {
        self.local_url.clone()
    }

    /// The bearer token that it asks for.
    pub fn token(&self) -> &SecretString {
        &self.token
    }

    /// Stops accepting, waits up to ten seconds for the requests that are under way, and closes the store.
    pub async fn shutdown(self) {
        self.stop.cancel();
        if let Err(error) = self.server.await {
            tracing::error!(%error, "the server ended badly");
        }
        self.jobs.stop().await;
        self.state.store.close().await;
    }
}

/// Puts in what a new store begins with.
async fn fill(state: &AppState, options: &Options) -> Result<(), ApiError> {
    seed::fill_crm_usage(state, options.crm_usage.as_ref()).await?;
    if options.sample { seed::fill_library(state).await } else { seed::leave_out_library(state).await }
}

fn fetcher(options: &Options) -> Fetcher {
    let guard = Guard::new(options.import_allow.clone());
    Fetcher::new(guard, FetchLimits::new(options.max_file_bytes, policy::IMPORTS_AT_ONCE), Arc::new(SystemResolver))
}

/// Makes the directory, and takes its lock.
fn open_data_dir(dir: &Path) -> Result<std::fs::File, StartError> {
    let unusable = |source| StartError::DataDir { path: dir.to_owned(), source };
    data_dir::create(dir).map_err(unusable)?;
    data_dir::lock(dir).map_err(unusable)?.ok_or_else(|| StartError::InUse(dir.to_owned()))
}

/// Opens database and blobs, and removes what an earlier process left to be erased: nobody is reading it yet.
async fn open_store(dir: &Path, now: Timestamp) -> Result<(Store, Blobs), StartError> {
    let failed = |source: Box<dyn std::error::Error + Send + Sync>| StartError::Store { path: dir.to_owned(), source };
    let database = data_dir::database(dir);
    let is_new = !database.exists();
    let blobs = Blobs::open(&data_dir::blobs(dir)).map_err(|error| failed(error.into()))?;
    if is_new && blobs.unnamed(HashSet::new()).await.map_err(|error| failed(error.into()))? > 0 {
        return Err(StartError::NoDatabase(dir.to_owned()));
    }
    let store = Store::open(&database).await.map_err(|error| failed(error.into()))?;
    jobs::erase_rows(&store, now).await.map_err(|error| failed(error.into()))?;
    let named: HashSet<_> = store.named_blobs().await.map_err(|error| failed(error.into()))?.into_iter().collect();
    let removed = blobs.keep_only(named).await.map_err(|error| failed(error.into()))?;
    if removed > 0 {
        tracing::info!(removed, "removed blobs that no file names");
    }
    Ok((store, blobs))
}

/// The address that a client on this machine can use.
fn address(local: SocketAddr) -> Result<Url, StartError> {
    let ip = if local.ip().is_unspecified() { IpAddr::V4(Ipv4Addr::LOCALHOST) } else { local.ip() };
    let address = SocketAddr::new(ip, local.port());
    Url::parse(&format!("http://{address}/")).map_err(|error| StartError::Listener(std::io::Error::other(error)))
}
