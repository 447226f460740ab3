//! The local store: served by the first filedeck that opens it, shared by the others. When the one that serves it ends,
//! one of the others goes on at the same address, so that nobody's work is cut.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, bail};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::claim::{Address, Claim, published};

use crate::service::fetch::AllowedNetwork;
use crate::service::{self, Options, Running, TokenSource};

/// A store that answers at `address` until it is closed.
#[derive(Debug)]
pub struct LocalStore {
    address: Address,
    part: Part,
}

#[derive(Debug)]
enum Part {
    Holder(Served),
    /// Another process serves the store; the task takes over when that one ends.
    Guest {
        closing: CancellationToken,
        heir: JoinHandle<Option<Served>>,
    },
}

/// A running service and the claim on its directory.
#[derive(Debug)]
struct Served {
    running: Running,
    _claim: Claim,
}

const PATIENCE: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(50);

impl LocalStore {
    /// Serves the store in `dir`, or joins who does; a new store is filled with the sample library.
    pub async fn open(dir: &Path) -> anyhow::Result<Self> {
        match tokio::time::timeout(PATIENCE, Self::open_or_join(dir)).await {
            Ok(opened) => opened.with_context(|| format!("cannot open the local store in {}", dir.display())),
            Err(_) => bail!(
                "another filedeck holds the local store in {} and does not answer; end it and try again",
                dir.display()
            ),
        }
    }

    async fn open_or_join(dir: &Path) -> anyhow::Result<Self> {
        loop {
            if let Some(claim) = Claim::try_take(dir)? {
                let served = serve(dir, claim, 0, TokenSource::DataDir).await?;
                let address = Address { base_url: served.running.base_url(), token: served.running.token().clone() };
                return Ok(Self { address, part: Part::Holder(served) });
            }
            if let Some(address) = published(dir)?
                && answers(&address).await
            {
                return Ok(Self::join(dir.to_owned(), address));
            }
            // The holder is starting or ending.
            tokio::time::sleep(PAUSE).await;
        }
    }

    fn join(dir: PathBuf, address: Address) -> Self {
        let closing = CancellationToken::new();
        let heir = tokio::spawn({
            let (address, closing) = (address.clone(), closing.clone());
            async move {
                tokio::select! {
                    () = closing.cancelled() => None,
                    served = inherit(&dir, &address) => served,
                }
            }
        });
        Self { address, part: Part::Guest { closing, heir } }
    }

    pub fn address(&self) -> &Address {
        &self.address
    }

    /// Finishes what is in flight and stops serving.
    pub async fn close(self) {
        match self.part {
            Part::Holder(served) => served.running.shutdown().await,
            Part::Guest { closing, heir } => {
                closing.cancel();
                if let Ok(Some(served)) = heir.await {
                    served.running.shutdown().await;
                }
            }
        }
    }
}

/// Waits until the holder has ended, then serves the store at the holder's address; none when that cannot be.
async fn inherit(dir: &Path, address: &Address) -> Option<Served> {
    let (claimed, claim) = oneshot::channel();
    let lock_dir = dir.to_owned();
    // A thread of its own: the runtime waits for its blocking tasks at the end, and this wait may have none.
    std::thread::spawn(move || claimed.send(Claim::wait(&lock_dir)));
    let taken_over = async {
        let claim = claim.await??;
        let port = address.base_url.port().unwrap_or_default();
        serve(dir, claim, port, TokenSource::Given(address.token.clone())).await
    };
    taken_over.await.inspect_err(|error| tracing::error!("the local store lost its holder: {error:#}")).ok()
}

async fn serve(dir: &Path, claim: Claim, port: u16, token: TokenSource) -> anyhow::Result<Served> {
    let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).await?;
    let options =
        Options { token, sample: true, import_allow: AllowedNetwork::loopback().to_vec(), ..Options::new(dir) };
    let running = service::start(listener, options).await?;
    claim.publish(&Address { base_url: running.base_url(), token: running.token().clone() })?;
    Ok(Served { running, _claim: claim })
}

async fn answers(address: &Address) -> bool {
    let (Some(host), Some(port)) = (address.base_url.host_str(), address.base_url.port()) else { return false };
    TcpStream::connect((host, port)).await.is_ok()
}
