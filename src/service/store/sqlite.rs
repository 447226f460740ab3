//! The store in SQLite: connections, tables and their statements, and features that only SQLite
//! needs.

mod audit;
mod connections;
mod crm;
mod database;
mod failure;
mod group;
mod long_transaction;
mod migrations;
mod name_index;
mod name_indexer;
mod presence;
mod rescue;
mod salvage;
mod sample_copy;
mod scrub;
mod search;
mod sibling_paths;
mod tables;
mod values;

pub(super) use long_transaction::LongTransaction;

pub(crate) use audit::{Audit, Expected};
pub(crate) use database::EmbeddedDatabase;
pub(crate) use scrub::ScrubDelay;
pub(crate) use sibling_paths::{free_name, with_suffix};
