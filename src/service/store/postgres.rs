//! The store in PostgreSQL: connections, tables and their statements.

mod address;
mod crm;
mod database;
mod failure;
mod locked;
mod marks;
mod migrations;
mod name_trigrams;
mod notices;
mod request_counts;
mod search;
mod tables;
mod tls_parameters;
mod use_lock;
mod values;

pub use address::{DatabaseAddress, DatabaseAddressError};
pub(crate) use database::PostgresDatabase;
pub(crate) use locked::LockedDatabase;
