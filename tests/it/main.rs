//! One integration binary: the client against the real service, the screen, the command line, the architecture.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on should panic")]

mod architecture;
mod cli;
mod conformance;
mod docs;
mod engine;
mod fixtures;
mod glossary;
mod matrix;
mod readme;
mod screen;
mod service_blocks;
mod service_care;
mod service_connections;
mod service_content;
mod service_expiry;
mod service_faults;
mod service_files;
mod service_folder_tasks;
mod service_folders;
mod service_foreign_database;
mod service_guard;
mod service_imports;
mod service_limits;
mod service_lost_database;
mod service_model;
mod service_multipart;
mod service_openapi;
mod service_private;
mod service_recover;
mod service_scopes;
mod service_search;
mod service_seed;
mod service_start;
mod service_upload;
mod sessions;
mod support;
#[cfg(unix)]
mod terminal;
mod update;
mod wire;
