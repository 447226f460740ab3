//! The client, against handwritten responses, and its examples, against the real service.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::missing_panics_doc,
    reason = "a test that cannot go on should panic"
)]

mod downloads;
#[cfg(feature = "service")]
mod examples;
mod fixtures;
mod interface;
mod process_state;
mod streams;
pub mod support;
mod upload_sources;
mod wire;
