//! The events of `tracing` for each request: with a target of their own, since paths of requests
//! have names of files, which no log has.

/// The target of the events.
pub(crate) const REQUESTS: &str = "filedeck::requests";
