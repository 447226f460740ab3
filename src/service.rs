//! The embedded service: answers the API from a local directory, over real HTTP.
//! Runs in the TUI's process, in `serve` and in the tests alike. Knows neither the client nor the engine.

mod access;
mod answer;
pub mod clock;
mod content;
pub mod crm;
mod domain;
pub mod fetch;
mod http;
mod ingest;
mod jobs;
pub mod maintenance;
mod options;
mod policy;
mod reconcile;
mod seed;
mod server;
mod start_error;
mod startup;
mod state;
mod store;

pub use access::credentials::TokenSource;
pub use access::scopes::Scopes;
pub use access::token_file::{ListedToken, TokenFile, TokenFileError};
pub use content::data_dir::Lock;
pub use http::{faults, rate_limit};
pub use options::ServiceOptions;
pub use server::{RunningService, start, start_locked};
pub use start_error::StartError;
pub use startup::awaits_renewal;
