//! What stands around every route or many of them, one layer a file; `router` puts them in order.

pub(crate) mod auth;
pub(crate) mod database;
pub(crate) mod head;
pub(crate) mod host;
pub(crate) mod linger;
pub(crate) mod pace;
pub mod rate_limit;
pub(crate) mod trace;
