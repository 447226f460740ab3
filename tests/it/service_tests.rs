//! The service, against handwritten requests.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::missing_panics_doc,
    reason = "a test that cannot go on should panic"
)]

mod conformance;
mod service_access_log;
mod service_alone;
mod service_blocks;
#[cfg(feature = "s3")]
mod service_bucket_owner;
mod service_care;
#[cfg(unix)]
mod service_connections;
mod service_content;
#[cfg(feature = "s3")]
mod service_copy;
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
mod service_metrics;
mod service_model;
mod service_multipart;
#[cfg(feature = "s3")]
mod service_objects;
mod service_openapi;
mod service_private;
#[cfg(all(feature = "postgres", feature = "s3"))]
mod service_processes;
mod service_recover;
mod service_scopes;
mod service_search;
#[cfg(feature = "postgres")]
mod service_search_reads;
mod service_seed;
mod service_start;
mod service_strict;
mod service_temporary;
mod service_test_api;
mod service_upload;
pub mod support;
