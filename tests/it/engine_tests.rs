//! The engine, mostly against the real service.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::missing_panics_doc,
    reason = "a test that cannot go on should panic"
)]

pub mod engine;
pub mod support;
