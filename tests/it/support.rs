//! Helpers for several test modules: a service on a free port, a settable clock, fixtures. Public,
//! so that a test binary may leave some of it unused.

#[cfg(feature = "engine")]
pub mod account;
#[cfg(feature = "engine")]
pub mod archives;
#[cfg(feature = "s3")]
pub mod bucket;
pub mod capture;
pub mod changed;
#[cfg(feature = "client")]
pub mod clients;
#[cfg(feature = "service")]
pub mod database;
pub mod disk;
#[cfg(feature = "engine")]
pub mod documents;
#[cfg(feature = "service")]
pub mod half_sent;
#[cfg(feature = "tui")]
pub mod hostile_pictures;
pub mod http;
pub mod items;
#[cfg(feature = "engine")]
pub mod journal;
#[cfg(all(feature = "tui", target_os = "linux"))]
pub mod large_pictures;
#[cfg(feature = "tui")]
pub mod limits;
#[cfg(feature = "service")]
pub mod maintenance;
#[cfg(all(feature = "service", target_os = "linux"))]
pub mod memory;
#[cfg(any(feature = "engine", feature = "service"))]
pub mod pictures;
pub mod proxy;
#[cfg(feature = "tui")]
pub mod queue;
pub mod random;
#[cfg(all(feature = "postgres", feature = "s3"))]
pub mod served;
#[cfg(feature = "postgres")]
pub mod server_database;
#[cfg(feature = "service")]
pub mod service;
pub mod web;
