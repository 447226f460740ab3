//! The embedded service: answers the API from a local directory, over real HTTP.
//! Runs in the TUI's process, in `serve` and in the tests alike. Knows neither the client nor the engine.

mod access;
mod answer;
pub mod care;
pub mod clock;
mod content;
pub mod crm;
mod domain;
pub mod fetch;
mod http;
mod intake;
mod jobs;
mod opening;
mod options;
mod policy;
mod reconcile;
mod seed;
mod server;
mod start_error;
mod state;
mod store;

pub use access::credentials::TokenSource;
pub use access::scopes::Scopes;
pub use access::token_file::{ListedToken, TokenFile, TokenFileError};
pub use content::data_dir::Lock;
pub use http::{faults, rate_limit};
pub use opening::awaits_renewal;
pub use options::Options;
pub use server::{Running, start, start_locked};
pub use start_error::StartError;
