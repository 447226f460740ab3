//! filedeck: a terminal file manager for a cloud file store and its CRM limits.
//!
//! Layers, top to bottom; imports point down only (checked by `tests/it/architecture.rs`): `cli` wires everything ·
//! `tui` draws and decides · `engine` does the asynchronous work · `service` is the embedded stand-in for the remote
//! API · `api` is the contract and its HTTP client · `config` is paths and accounts · `signals` is the signals of the
//! operating system · `drawing` draws documents in a process of its own · `pictures` decodes pictures within a bound on memory · `regular_file` opens what others may have
//! replaced.

#![warn(missing_docs, clippy::missing_errors_doc)]

pub mod api;
// What the binary and its tests alone use is no part of the library.
#[doc(hidden)]
pub mod cli;
#[doc(hidden)]
pub mod config;
#[doc(hidden)]
pub mod drawing;
#[doc(hidden)]
pub mod engine;
#[cfg(test)]
mod hostile;
#[doc(hidden)]
pub mod pictures;
#[doc(hidden)]
pub mod regular_file;
#[doc(hidden)]
pub mod service;
#[doc(hidden)]
pub mod signals;
#[doc(hidden)]
pub mod tui;
