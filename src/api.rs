//! The contract: wire types, ids, errors and the HTTP client, one file for each resource.
//! Never spawns tasks, never reads configuration.

pub mod error;
pub mod ids;
pub mod model;
pub mod text;

pub use error::{Error, Kind};
