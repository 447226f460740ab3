//! The options with which a service is started. Plain data; nothing is opened here.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use url::Url;

use super::access::token_source::TokenSource;
use super::clock::Clock;
use super::connection_limits::ConnectionLimits;
#[cfg(feature = "s3")]
use super::content::bucket::BucketOptions;
use super::crm::Usage;
use super::http::faults::Faults;
use super::http::rate_limit::Quota;
use super::network::Network;
use super::policy;
#[cfg(feature = "postgres")]
use super::store::DatabaseAddress;
use crate::drawing::Drawer;
use crate::tls::ExtraRoots;

#[derive(Debug, Clone)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "switches that do not depend on each other"
)]
pub struct ServiceOptions {
    /// The directory of the database, the bytes, the token and the lock. Created if it is missing.
    pub data_dir: PathBuf,
    /// A database on a server, instead of the one in the directory.
    #[cfg(feature = "postgres")]
    pub database: Option<DatabaseAddress>,
    /// The address that clients use, which links in responses start with; `None` for the listener's
    /// own.
    pub base_url: Option<Url>,
    /// The service's own token, which has all permissions.
    pub token: TokenSource,
    /// A file with the service's own token, or with further ones, each with its permissions and
    /// expiry time.
    pub token_file: Option<PathBuf>,
    /// Set to refuse tokens that can be guessed.
    pub refuse_weak_tokens: bool,
    /// The interval at which the file, and the token in the directory, are read again.
    pub tokens_read_every: Duration,
    pub clock: Clock,
    /// The bucket for the bytes, if they are not in the directory.
    #[cfg(feature = "s3")]
    pub bucket: Option<BucketOptions>,
    /// Set to fill a new store with the sample library.
    pub sample: bool,
    /// Replaces the CRM usage of the store; without it, a new store gets the sample usage.
    pub crm_usage: Option<Usage>,
    pub connections: ConnectionLimits,
    /// Networks that imports may reach in addition to the public internet.
    pub import_allow: Vec<Network>,
    /// Authorities that may vouch for the servers of imports, in addition to the system's.
    pub import_roots: ExtraRoots,
    /// Injected faults; can be changed while the service runs.
    pub faults: Faults,
    /// The maximum size in bytes of an uploaded or imported file.
    pub max_file_bytes: u64,
    /// Request quotas, each with a policy of its own; without any, every request is carried out.
    pub rate_limits: Vec<Quota>,
    /// Set to refuse unknown names of parameters, form fields and JSON keys.
    pub strict: bool,
    /// Set to offer the test API, which can delete everything and move the clock; it gets a movable
    /// clock.
    pub test_api: bool,
    /// Decodes images for resized copies; without it, the original is served instead of a copy.
    pub drawer: Option<Drawer>,
    /// The time that a start waits for a database or a bucket that does not answer.
    pub start_patience: Duration,
    /// The file that gets a line for each request; `None` for none.
    pub access_log: Option<PathBuf>,
    /// The address for metrics and probes, if they have a listener of their own instead of the one
    /// of the API.
    pub metrics_addr: Option<SocketAddr>,
}

impl ServiceOptions {
    /// Creates the options of a service on this directory, with the token stored there and the
    /// machine's clock.
    pub fn new(data_dir: impl Into<PathBuf>) -> Self {
        Self {
            data_dir: data_dir.into(),
            #[cfg(feature = "postgres")]
            database: None,
            base_url: None,
            token: TokenSource::DataDir,
            token_file: None,
            refuse_weak_tokens: false,
            tokens_read_every: policy::CREDENTIALS_READ_EVERY,
            clock: Clock::system(),
            #[cfg(feature = "s3")]
            bucket: None,
            sample: false,
            crm_usage: None,
            connections: ConnectionLimits::default(),
            import_allow: Vec::new(),
            import_roots: ExtraRoots::default(),
            faults: Faults::none(),
            max_file_bytes: policy::MAX_FILE_BYTES,
            rate_limits: Vec::new(),
            strict: false,
            test_api: false,
            drawer: None,
            start_patience: Duration::ZERO,
            access_log: None,
            metrics_addr: None,
        }
    }

    #[cfg_attr(
        not(feature = "s3"),
        expect(clippy::unused_self, reason = "there are no buckets")
    )]
    pub(super) fn bucket_address(&self) -> Option<String> {
        #[cfg(feature = "s3")]
        return self
            .bucket
            .as_ref()
            .map(|bucket| bucket.address.to_string());
        #[cfg(not(feature = "s3"))]
        None
    }
}
