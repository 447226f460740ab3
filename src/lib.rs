//! filedeck: a terminal file manager for a cloud file store and its CRM limits.
//!
//! Layers, top to bottom; imports point down only (checked by `tests/it/architecture.rs`):
//! `cli` wires everything · `tui` draws and decides · `engine` does the asynchronous work · `service` is the embedded
//! stand-in for the remote API · `api` is the contract and its HTTP client · `config` is paths and accounts ·
//! `signals` is what the operating system tells the process · `pictures` decodes pictures within a bound on memory ·
//! `regular_file` opens what others may have replaced.

pub mod api;
pub mod cli;
pub mod config;
pub mod engine;
pub mod pictures;
pub mod regular_file;
pub mod service;
pub mod signals;
pub mod tui;
