//! The embedded service for the tests of other programs: on a free port of this machine, in a
//! temporary directory.

use std::fmt;
use std::net::Ipv4Addr;
use std::path::Path;

use secrecy::SecretString;
use tempfile::TempDir;
use tokio::net::TcpListener;
use url::Url;

use super::network::Network;
use super::options::ServiceOptions;
use super::server::{self, RunningService};
use super::start_error::StartError;

/// The embedded service in a directory of its own. Dropping it stops the service and removes the
/// directory.
pub struct TemporaryService {
    running: RunningService,
    // Declared last, so that it is removed after the service has been told to stop.
    dir: TempDir,
}

/// Starts the embedded service for a test: empty, on a free port of this machine. Imports may fetch
/// from this machine.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), filedeck::service::StartError> {
/// let service = filedeck::service::start().await?;
/// assert_eq!(service.base_url().host_str(), Some("127.0.0.1"));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Fails if the directory cannot be created, or there is no free port.
pub async fn start() -> Result<TemporaryService, StartError> {
    let made = tempfile::Builder::new().prefix("filedeck-").tempdir();
    let dir = made.map_err(|source| StartError::DataDir {
        path: std::env::temp_dir(),
        source,
    })?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .await
        .map_err(StartError::Listener)?;
    let import_allow = Network::loopback().to_vec();
    let options = ServiceOptions {
        import_allow,
        ..ServiceOptions::new(dir.path().join("store"))
    };
    Ok(TemporaryService {
        running: server::serve(listener, options).await?,
        dir,
    })
}

impl TemporaryService {
    /// Returns the address of the service for clients.
    pub fn base_url(&self) -> Url {
        self.running.base_url()
    }

    /// Returns the service's token, which has all permissions.
    pub fn token(&self) -> &SecretString {
        self.running.token()
    }

    /// Returns the directory that holds everything.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// Stops the service: waits for requests in progress, for ten seconds at most, and removes the
    /// directory.
    pub async fn shutdown(self) {
        self.running.shutdown().await;
        // If it cannot be removed, it is left to the system, as after a drop.
        let _ = self.dir.close();
    }
}

impl fmt::Debug for TemporaryService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TemporaryService")
            .field("base_url", &self.base_url().as_str())
            .finish_non_exhaustive()
    }
}
