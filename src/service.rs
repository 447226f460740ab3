//! The embedded service: implements the API on a local directory, over real HTTP. [`start`] is for
//! other programs' tests. The TUI's process, `serve` and the tests all run the same service.
//! Independent of the client and the engine.

mod access;
mod access_log;
mod answer;
#[doc(hidden)]
pub mod clock;
mod connection_limits;
mod content;
#[doc(hidden)]
pub mod crm;
mod domain;
#[doc(hidden)]
pub mod fetch;
#[cfg(feature = "tui")]
mod first_files;
mod http;
mod ingest;
mod jobs;
#[doc(hidden)]
pub mod maintenance;
mod metrics;
#[doc(hidden)]
pub mod network;
mod options;
mod policy;
mod reconcile;
mod seed;
mod server;
#[warn(missing_docs)]
mod start_error;
mod startup;
mod state;
mod store;
#[cfg(feature = "s3")]
mod store_identity;
#[warn(missing_docs, clippy::missing_errors_doc)]
mod temporary;

#[doc(hidden)]
pub use access::credential_error::CredentialError;
#[doc(hidden)]
pub use access::scopes::Scopes;
#[doc(hidden)]
pub use access::token_source::TokenSource;
#[doc(hidden)]
pub use connection_limits::ConnectionLimits;
#[cfg(feature = "s3")]
#[doc(hidden)]
pub use content::bucket::{BucketAddress, BucketAddressError, BucketOptions};
#[doc(hidden)]
pub use content::bucket_settings::BucketSettings;
#[doc(hidden)]
pub use content::data_dir::Lock;
pub use http::ServedRequest;
#[doc(hidden)]
pub use http::{faults, rate_limit};
#[doc(hidden)]
pub use options::ServiceOptions;
#[doc(hidden)]
pub use policy::TEST_API_PREFIX;
#[doc(hidden)]
pub use server::{RunningService, serve, serve_locked};
pub use start_error::StartError;
#[doc(hidden)]
#[cfg(feature = "postgres")]
#[doc(hidden)]
pub use store::{DatabaseAddress, DatabaseAddressError};
pub use temporary::{TemporaryService, TemporaryServiceBuilder, start};

#[doc(hidden)]
pub use crate::tls::ExtraRoots;
