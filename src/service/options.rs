//! What a service is started with. Plain data; nothing is opened here.

use std::net::SocketAddr;
use std::path::PathBuf;

use url::Url;

use super::access::credentials::TokenSource;
use super::access::token_file::ListedToken;
use super::clock::Clock;
#[cfg(feature = "s3")]
use super::content::bucket::BucketOptions;
use super::crm::Usage;
use super::fetch::AllowedNetwork;
use super::http::faults::Faults;
use super::http::rate_limit::Quota;
use super::policy;
#[cfg(feature = "postgres")]
use super::store::DatabaseAddress;

#[derive(Debug, Clone)]
pub struct ServiceOptions {
    /// Holds the database, the bytes, the token and the lock. Made if it is not there.
    pub data_dir: PathBuf,
    /// A database on a server, in the place of the one in the directory.
    #[cfg(feature = "postgres")]
    pub database: Option<DatabaseAddress>,
    /// The address that clients use, which links in answers start with; none takes the listener's own.
    pub base_url: Option<Url>,
    /// The service's own token, which allows everything.
    pub token: TokenSource,
    /// Further tokens, each with what it allows and until when.
    pub listed_tokens: Vec<ListedToken>,
    pub clock: Clock,
    /// Where the bytes are, if not in the directory.
    #[cfg(feature = "s3")]
    pub bucket: Option<BucketOptions>,
    /// Fills a new store with the sample library.
    pub sample: bool,
    /// Replaces the CRM usage of the store; without it a new store gets the sample usage.
    pub crm_usage: Option<Usage>,
    /// Networks that imports may reach besides the public internet.
    pub import_allow: Vec<AllowedNetwork>,
    /// Trouble on purpose; can be changed while the service runs.
    pub faults: Faults,
    /// Bytes of the largest file that is taken, sent or imported.
    pub max_file_bytes: u64,
    /// Budgets of requests, each with a policy of its own; none carries out every request.
    pub rate_limits: Vec<Quota>,
    /// Refuses names of parameters, form fields and JSON keys that a call does not take.
    pub strict: bool,
    /// Calls with which tests steer the service. Everything in the store may go with one of them. They move the clock, so
    /// that a movable one takes the place of the system's.
    pub test_api: bool,
    /// Where metrics and probes are answered instead of on the listener of the API.
    pub metrics_addr: Option<SocketAddr>,
}

impl ServiceOptions {
    /// A service on this directory, with the token kept in it and the machine's clock.
    pub fn new(data_dir: impl Into<PathBuf>) -> Self {
        Self {
            data_dir: data_dir.into(),
            #[cfg(feature = "postgres")]
            database: None,
            base_url: None,
            token: TokenSource::DataDir,
            listed_tokens: Vec::new(),
            clock: Clock::system(),
            #[cfg(feature = "s3")]
            bucket: None,
            sample: false,
            crm_usage: None,
            import_allow: Vec::new(),
            faults: Faults::none(),
            max_file_bytes: policy::MAX_FILE_BYTES,
            rate_limits: Vec::new(),
            strict: false,
            test_api: false,
            metrics_addr: None,
        }
    }

    /// The bucket that the bytes are to be in, in words.
    #[cfg_attr(not(feature = "s3"), expect(clippy::unused_self, reason = "there are no buckets"))]
    pub(super) fn bucket_address(&self) -> Option<String> {
        #[cfg(feature = "s3")]
        return self.bucket.as_ref().map(|bucket| bucket.address.to_string());
        #[cfg(not(feature = "s3"))]
        None
    }
}
