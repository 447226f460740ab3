//! The embedded service: answers the API from a local directory, over real HTTP.
//! Runs in the TUI's process, in `serve` and in the tests alike. Knows neither the client nor the engine.

pub mod clock;
pub mod crm;
pub mod fetch;
