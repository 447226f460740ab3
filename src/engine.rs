//! The asynchronous API task: requests in, events out. No drawing, no configuration.

pub mod message;

pub use message::{Event, OpId, Outcome, Progress, Request};
