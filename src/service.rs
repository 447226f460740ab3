//! The embedded service: answers the API from a local directory, over real HTTP.
//! Runs in the TUI's process, in `serve` and in the tests alike. Knows neither the client nor the engine.

mod access;
mod blobs;
pub mod care;
pub mod clock;
pub mod crm;
mod data_dir;
mod deletion;
mod disk;
mod error;
mod extract;
pub mod faults;
pub mod fetch;
mod intake;
mod jobs;
mod layers;
mod lifetime;
mod names;
mod openapi;
mod opening;
mod options;
mod orders;
mod policy;
mod private;
mod render;
mod resize;
mod room;
mod router;
mod routes;
mod seed;
mod server;
mod start_error;
mod state;
mod store;
mod survey;
mod task_id;
mod unclaimed;
mod version;

pub use access::credentials::TokenSource;
pub use access::scopes::Scopes;
pub use access::token_file::{ListedToken, TokenFile, TokenFileError};
pub use layers::rate_limit;
pub use opening::awaits_renewal;
pub use options::Options;
pub use server::{Running, start};
pub use start_error::StartError;
