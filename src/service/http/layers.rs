//! The layers around all or many routes, one per file; `router` puts them in order.

pub(crate) mod admit;
pub(crate) mod auth;
pub(crate) mod database;
mod faults;
mod head;
pub(crate) mod host;
mod linger;
mod pace;
pub mod rate_limit;
pub(crate) mod trace;
