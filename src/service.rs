//! The embedded service: answers the API from a local directory, over real HTTP.
//! Runs in the TUI's process, in `serve` and in the tests alike. Knows neither the client nor the engine.

mod auth;
mod blobs;
pub mod clock;
mod credentials;
pub mod crm;
mod error;
mod extract;
pub mod fetch;
mod host;
mod intake;
mod lifetime;
mod names;
mod options;
mod policy;
mod render;
mod router;
mod routes;
mod server;
mod signing;
mod state;
mod store;
mod trace;

pub use credentials::TokenSource;
pub use options::Options;
pub use server::{Running, StartError, start};
