//! The store in PostgreSQL: the connections, the tables with their statements.

mod address;
mod blobs;
mod crm;
mod database;
mod failure;
mod files;
mod folders;
mod ids;
mod locked;
mod marks;
mod migrations;
mod name_trigrams;
mod notices;
mod pending_blobs;
mod recovered_files;
mod request_counts;
mod search;
mod tables;
mod tasks;
mod use_lock;
mod values;

pub use address::{DatabaseAddress, DatabaseAddressError};
pub(crate) use database::PostgresDatabase;
pub(crate) use locked::LockedDatabase;
