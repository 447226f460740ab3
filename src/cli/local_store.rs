//! The built-in store, served by the first filedeck that opens it and shared by the others. When the
//! process that serves it ends, another one takes over at the same address, so that no work is cut
//! off.

mod wait;

use std::fs;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use secrecy::SecretString;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use url::Url;

use self::wait::{HolderState, Wait};
use super::address::ServiceAddress;
use super::stderr::InvalidUsage;
use super::store_claim::{Claim, ServiceToken, StoreHolder, published};
use crate::drawing::Drawer;
use crate::service::network::Network;
use crate::service::{self, RunningService, ServiceOptions, TokenSource};

pub use self::wait::WaitNotice;

/// A store that answers at `address` until it is closed.
#[derive(Debug)]
pub struct LocalStore {
    address: ServiceAddress,
    part: Role,
}

#[derive(Debug)]
enum Role {
    Holder(Served),
    /// Another process serves the store; the task takes over when that process ends.
    Guest {
        closing: CancellationToken,
        heir: JoinHandle<Option<Served>>,
    },
}

#[derive(Debug)]
struct Served {
    running: RunningService,
    claim: Claim,
}

/// The longest wait for a holder's response.
const PATIENCE: Duration = Duration::from_secs(10);

impl LocalStore {
    /// Serves the store in `dir`, or joins the process that does; a new store is filled with the
    /// sample library. `token` is for joining a process that was started with its own token, and
    /// `tell` reports a wait.
    pub async fn open(
        dir: &Path,
        token: Option<&SecretString>,
        tell: WaitNotice<'_>,
    ) -> anyhow::Result<Self> {
        let opened = Self::open_or_join(dir, token, tell).await;
        opened.with_context(|| format!("cannot open the built-in store in {}", dir.display()))
    }

    async fn open_or_join(
        dir: &Path,
        token: Option<&SecretString>,
        tell: WaitNotice<'_>,
    ) -> anyhow::Result<Self> {
        let mut wait = Wait::begin(dir, tell);
        loop {
            if let Some(claim) = Claim::try_take(dir)? {
                let listener = listen_as_before(dir).await?;
                let served = serve(dir, claim, listener, TokenSource::DataDir).await?;
                let address = ServiceAddress {
                    base_url: served.running.local_url(),
                    token: served.running.token().clone(),
                };
                return Ok(Self {
                    address,
                    part: Role::Holder(served),
                });
            }
            let holder = published(dir)?;
            let is_ending = holder.as_ref().is_some_and(|holder| holder.is_ending);
            if let Some(holder) = holder.filter(|holder| !holder.is_ending)
                && answers(&holder.base_url).await
            {
                return Self::join(dir.to_owned(), holder, token);
            }
            // The holder is starting or ending, which takes a moment.
            let busy = if is_ending {
                HolderState::Ending
            } else {
                HolderState::Silent
            };
            wait.go_on(busy).await?;
        }
    }

    fn join(
        dir: PathBuf,
        holder: StoreHolder,
        token: Option<&SecretString>,
    ) -> anyhow::Result<Self> {
        let source = token_source(&holder, token)?;
        let address = ServiceAddress {
            base_url: holder.base_url,
            token: source.read(&dir)?,
        };
        let port = address.base_url.port_or_known_default().unwrap_or_default();
        let closing = CancellationToken::new();
        let heir = tokio::spawn({
            let closing = closing.clone();
            async move {
                tokio::select! {
                    () = closing.cancelled() => None,
                    served = inherit(&dir, port, source) => served,
                }
            }
        });
        Ok(Self {
            address,
            part: Role::Guest { closing, heir },
        })
    }

    /// Returns `true` if this process serves the store.
    pub fn is_holder(&self) -> bool {
        matches!(self.part, Role::Holder(_))
    }

    pub fn address(&self) -> &ServiceAddress {
        &self.address
    }

    /// Finishes requests in flight and stops serving.
    pub async fn close(self) {
        match self.part {
            Role::Holder(served) => served.end().await,
            Role::Guest { closing, heir } => {
                closing.cancel();
                if let Ok(Some(served)) = heir.await {
                    served.end().await;
                }
            }
        }
    }
}

impl Served {
    async fn end(self) {
        self.claim.announce_end();
        self.running.shutdown().await;
    }
}

/// Returns the address at which the store in `dir` is being served, if it is; `token` is as for
/// `LocalStore::open`.
pub fn address_in_use(dir: &Path, token: Option<&SecretString>) -> Option<ServiceAddress> {
    let holder = published(dir).ok()?.filter(|holder| !holder.is_ending)?;
    // If the holder was killed, another process may have its address by now, and must not get the
    // token.
    if Claim::try_take(dir).ok()?.is_some() {
        return None;
    }
    let token = token_source(&holder, token).ok()?.read(dir).ok()?;
    Some(ServiceAddress {
        base_url: holder.base_url,
        token,
    })
}

fn token_source(
    holder: &StoreHolder,
    given: Option<&SecretString>,
) -> Result<TokenSource, InvalidUsage> {
    match (holder.token, given) {
        (ServiceToken::Directory, _) => Ok(TokenSource::DataDir),
        (ServiceToken::Given, Some(token)) => Ok(TokenSource::Given(token.clone())),
        (ServiceToken::Given, None) => Err(InvalidUsage(format!(
            "another filedeck serves it at {} with its own token; set FILEDECK_SERVICE_TOKEN to that token, or stop the other one",
            holder.base_url
        ))),
    }
}

/// Waits until the holder has ended, then serves the store at the same port; `None` if that fails.
async fn inherit(dir: &Path, port: u16, token: TokenSource) -> Option<Served> {
    let (claimed, claim) = oneshot::channel();
    let lock_dir = dir.to_owned();
    // A separate thread: on shutdown the runtime waits for its blocking tasks, and this wait may
    // never end.
    std::thread::spawn(move || claimed.send(Claim::wait(&lock_dir)));
    let taken_over = async {
        let claim = claim.await??;
        serve(dir, claim, listen(port).await?, token).await
    };
    taken_over
        .await
        .inspect_err(|error| tracing::error!("the built-in store's service ended: {error:#}"))
        .ok()
}

/// Listens at the port of the last start, so that links copied then work again, or at any other one
/// if that is taken.
async fn listen_as_before(dir: &Path) -> io::Result<TcpListener> {
    let port = fs::read_to_string(port_path(dir)).ok();
    let port = port.and_then(|port| port.trim().parse().ok());
    match listen(port.unwrap_or(0)).await {
        Err(_) => listen(0).await,
        listening => listening,
    }
}

async fn listen(port: u16) -> io::Result<TcpListener> {
    TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).await
}

/// The file with the port of the last start.
fn port_path(dir: &Path) -> PathBuf {
    dir.join("port")
}

async fn serve(
    dir: &Path,
    claim: Claim,
    listener: TcpListener,
    token: TokenSource,
) -> anyhow::Result<Served> {
    let port = listener.local_addr()?.port();
    let place = ServiceToken::of(&token);
    let options = ServiceOptions {
        token,
        sample: true,
        import_allow: Network::loopback().to_vec(),
        drawer: Drawer::this_program(),
        ..ServiceOptions::new(dir)
    };
    let running = Box::pin(service::serve_locked(listener, options, claim.lock())).await?;
    if let Err(error) = fs::write(port_path(dir), port.to_string()) {
        tracing::warn!(%error, "the next start cannot use the same port");
    }
    claim.publish(&StoreHolder {
        base_url: running.local_url(),
        token: place,
        is_ending: false,
    })?;
    Ok(Served { running, claim })
}

async fn answers(base_url: &Url) -> bool {
    let (Some(host), Some(port)) = (base_url.host_str(), base_url.port_or_known_default()) else {
        return false;
    };
    matches!(
        timeout(PATIENCE, TcpStream::connect((host, port))).await,
        Ok(Ok(_))
    )
}
