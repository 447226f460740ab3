//! The embedded service for the tests of other programs: on a free port of this machine, in a
//! temporary directory.

use std::fmt;
use std::net::Ipv4Addr;
use std::path::Path;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use secrecy::SecretString;
use tempfile::TempDir;
use tokio::net::TcpListener;
use url::Url;

use super::access::token_source::TokenSource;
use super::clock::Clock;
use super::http::faults::{FaultSpecError, Faults};
use super::http::{ServedRequest, TestControls};
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

/// The options of a temporary service.
#[derive(Debug, Clone)]
#[must_use = "a service has to be started"]
pub struct TemporaryServiceBuilder {
    sample: bool,
    strict: bool,
    time: Option<Timestamp>,
    token: Option<SecretString>,
    faults: Vec<String>,
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
    TemporaryService::builder().start().await
}

impl TemporaryServiceBuilder {
    /// Fills the store with the sample library.
    pub fn sample(mut self) -> Self {
        self.sample = true;
        self
    }

    /// Refuses unknown names of parameters, form fields and JSON keys.
    pub fn strict(mut self) -> Self {
        self.strict = true;
        self
    }

    /// Starts the clock of the service at this time; it runs on from there.
    pub fn clock(mut self, time: Timestamp) -> Self {
        self.time = Some(time);
        self
    }

    /// Sets the service's token, which has all permissions, in place of a random one.
    pub fn token(mut self, token: SecretString) -> Self {
        self.token = Some(token);
        self
    }

    /// Adds a fault, written as for `filedeck serve --fault`: `status=503,times=2` refuses the next
    /// two requests.
    pub fn fault(mut self, fault: &str) -> Self {
        self.faults.push(fault.to_owned());
        self
    }

    /// Starts the service.
    ///
    /// # Errors
    ///
    /// Fails if the directory cannot be created, if there is no free port, and if a fault or the
    /// token is not in the right form.
    pub async fn start(self) -> Result<TemporaryService, StartError> {
        let made = tempfile::Builder::new().prefix("filedeck-").tempdir();
        let dir = made.map_err(|source| StartError::DataDir {
            path: std::env::temp_dir(),
            source,
        })?;
        let rules = self.faults.into_iter().map(|text| {
            let rule = text.parse();
            rule.map_err(|error: FaultSpecError| StartError::Fault {
                fault: text,
                reason: error.to_string(),
            })
        });
        let faults = Faults::new(rules.collect::<Result<Vec<_>, _>>()?);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
            .await
            .map_err(StartError::Listener)?;
        let clock = Clock::movable();
        if let Some(time) = self.time {
            clock.move_to(time);
        }
        let options = ServiceOptions {
            import_allow: Network::loopback().to_vec(),
            sample: self.sample,
            strict: self.strict,
            token: self.token.map_or(TokenSource::DataDir, TokenSource::Given),
            clock,
            faults,
            test_api: true,
            ..ServiceOptions::new(dir.path().join("store"))
        };
        Ok(TemporaryService {
            running: server::serve(listener, options).await?,
            dir,
        })
    }
}

impl TemporaryService {
    /// Returns the options of an empty service.
    pub fn builder() -> TemporaryServiceBuilder {
        TemporaryServiceBuilder {
            sample: false,
            strict: false,
            time: None,
            token: None,
            faults: Vec::new(),
        }
    }

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

    /// Moves the clock of the service forward.
    pub fn advance(&self, by: Duration) {
        self.running
            .state
            .clock
            .advance(SignedDuration::try_from(by).unwrap_or(SignedDuration::MAX));
    }

    /// Returns the latest requests, oldest first.
    pub fn requests(&self) -> Vec<ServedRequest> {
        let controls = self.running.controls.as_ref();
        controls
            .map(TestControls::served_requests)
            .unwrap_or_default()
    }

    /// Restores files, folders, tasks, usage, ids and faults to their state at the start, sets the
    /// clock to that of the machine, and forgets the requests.
    ///
    /// # Errors
    ///
    /// Fails if the store cannot be written.
    pub async fn reset(&self) -> Result<(), StartError> {
        let Some(controls) = &self.running.controls else {
            return Ok(());
        };
        controls
            .reset()
            .await
            .map_err(StartError::store(self.dir.path()))
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
