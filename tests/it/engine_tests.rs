//! The engine, mostly against the real service.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on should panic")]

pub mod engine;
pub mod support;
