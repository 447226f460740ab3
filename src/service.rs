//! The embedded service: answers the API from a local directory, over real HTTP.
//! Runs in the TUI's process, in `serve` and in the tests alike. Knows neither the client nor the engine.

mod auth;
mod blobs;
pub mod care;
pub mod clock;
mod credentials;
pub mod crm;
mod data_dir;
mod disk;
mod error;
mod extract;
pub mod faults;
pub mod fetch;
mod host;
mod intake;
mod jobs;
mod lifetime;
mod linger;
mod names;
mod openapi;
mod options;
mod orders;
mod pace;
mod policy;
pub mod rate_limit;
mod render;
mod resize;
mod router;
mod routes;
mod scopes;
mod seed;
mod server;
mod signing;
mod state;
mod store;
mod target;
mod task_id;
mod token_file;
mod tokens;
mod trace;
mod version;

pub use credentials::TokenSource;
pub use options::Options;
pub use scopes::Scopes;
pub use server::{Running, StartError, start};
pub use token_file::{ListedToken, TokenFile, TokenFileError};
