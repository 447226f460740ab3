//! filedeck: a terminal file manager for a cloud file store and its CRM limits, plus two libraries.
//!
//! | feature | what it offers to other programs |
//! |---|---|
//! | `client` | [`api`]: an asynchronous client of the API |
//! | `service` | [`service::start`]: a stand-in for the service, for tests |
//!
//! The other features, `engine` and `tui`, are internal to the program. Their exports are not part
//! of the library.
//!
//! Layers, top to bottom; imports point down only (checked by `tests/it/architecture.rs`): `cli`
//! wires everything · `tui` draws and decides · `engine` does the asynchronous work · `service` is
//! the embedded stand-in for the remote API · `api` is the contract and its HTTP client · `config`
//! holds paths and accounts · `signals` handles operating system signals · `drawing` decodes
//! pictures and renders documents in child processes · `tls` configures TLS · `secret_file` reads
//! files that nobody else could have read · `connection_threads` runs database connections ·
//! `database_form` creates the schema of a database · `chunk_worker` processes bytes in transit on
//! a thread · `regular_file` opens files that others may have replaced.

#[cfg(any(feature = "client", feature = "service"))]
#[warn(missing_docs, clippy::missing_errors_doc)]
pub mod api;
#[cfg(any(feature = "client", feature = "service"))]
mod chunk_worker;
// Modules that only the binary and its tests use are not part of the library.
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
#[cfg(any(feature = "engine", feature = "service"))]
#[doc(hidden)]
pub mod drawing;
#[cfg(feature = "engine")]
#[doc(hidden)]
pub mod engine;
#[cfg(test)]
mod hostile;
#[cfg(any(feature = "client", feature = "service"))]
#[doc(hidden)]
pub mod regular_file;
#[cfg(feature = "service")]
#[doc(hidden)]
pub mod secret_file;
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

/// The library's documentation page; its example runs as a test.
#[cfg(all(doctest, feature = "client", feature = "service"))]
#[doc = include_str!("../docs/library.md")]
struct LibraryPage;
