//! filedeck: a terminal file manager for a cloud file store and its CRM limits; and two libraries.
//!
//! | feature | what it gives to other programs |
//! |---|---|
//! | `client` | [`api`]: an asynchronous client of the API |
//! | `service` | [`service::start`]: a stand-in for the service, for tests |
//!
//! The other features, `engine` and `tui`, are the program's own. What its modules export is no part of the library.
//!
//! Layers, top to bottom; imports point down only (checked by `tests/it/architecture.rs`): `cli` wires everything ·
//! `tui` draws and decides · `engine` does the asynchronous work · `service` is the embedded stand-in for the remote
//! API · `api` is the contract and its HTTP client · `config` is paths and accounts · `signals` is the signals of the
//! operating system · `drawing` draws documents in a process of its own · `pictures` decodes pictures within a bound on
//! memory · `tls` says how TLS is spoken · `connection_threads` run connections to databases ·
//! `database_form` renews databases of older forms · `chunk_worker` works on bytes on their way, on a thread ·
//! `regular_file` opens what others may have replaced.

#[cfg(any(feature = "client", feature = "service"))]
#[warn(missing_docs, clippy::missing_errors_doc)]
pub mod api;
#[cfg(any(feature = "client", feature = "service"))]
mod chunk_worker;
// What the binary and its tests alone use is no part of the library.
#[cfg(feature = "service")]
#[doc(hidden)]
pub mod cli;
#[cfg(feature = "service")]
#[doc(hidden)]
pub mod config;
#[cfg(any(feature = "engine", feature = "service"))]
mod connection_threads;
#[cfg(any(feature = "engine", feature = "service"))]
mod database_form;
#[cfg(feature = "engine")]
#[doc(hidden)]
pub mod drawing;
#[cfg(feature = "engine")]
#[doc(hidden)]
pub mod engine;
#[cfg(test)]
mod hostile;
#[cfg(any(feature = "engine", feature = "service"))]
#[doc(hidden)]
pub mod pictures;
#[cfg(any(feature = "client", feature = "service"))]
#[doc(hidden)]
pub mod regular_file;
#[cfg(feature = "service")]
pub mod service;
#[cfg(feature = "service")]
#[doc(hidden)]
pub mod signals;
#[cfg(any(feature = "client", feature = "service"))]
mod tls;
#[cfg(feature = "tui")]
#[doc(hidden)]
pub mod tui;

/// The page on the library, whose example is a test.
#[cfg(all(doctest, feature = "client", feature = "service"))]
#[doc = include_str!("../docs/library.md")]
struct LibraryPage;
