//! The records that the service keeps in a database, and the rules for them. Each public function
//! is one transaction over records: no HTTP, no addresses, no bytes of files. The rules call
//! `Tables` within a transaction. All SQL is below that trait: statements that both dialects share
//! are in `sql`, the rest in a folder for each dialect.

mod blobs;
mod content;
mod crm;
mod database;
mod error;
mod failure_counts;
mod figures;
mod files;
mod folders;
mod marks;
mod pending_blobs;
mod placement;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(test)]
mod query_plans;
mod records;
mod request_counts;
mod restore;
mod salvage;
mod search;
mod sql;
mod sqlite;
mod take_over;
mod tasks;

pub(crate) use content::StoredContent;
pub(crate) use database::Store;
pub(crate) use error::StoreError;
pub(crate) use failure_counts::DatabaseFailures;
pub(crate) use figures::StoreFigures;
pub(crate) use files::{Created, DuplicateRule, ExpiryChange, FileChange, NewFileRow};
pub(crate) use folders::FolderChange;
pub(crate) use placement::Placement;
#[cfg(feature = "postgres")]
pub use postgres::{DatabaseAddress, DatabaseAddressError};
#[cfg(feature = "postgres")]
pub(crate) use postgres::{LockedDatabase, PostgresDatabase};
pub(crate) use records::{
    FileKey, FileRecord, Finding, FolderKey, FolderRecord, NewTask, ServiceFlag, TaskKind,
    TaskRecord,
};
pub(crate) use request_counts::RequestCounts;
pub(crate) use restore::Restoration;
#[cfg(feature = "postgres")]
pub(crate) use salvage::HALF_COPIED;
pub(crate) use salvage::{Salvage, SavedFile, SavedFiles};
pub(crate) use search::{CommonFilter, FieldRange, FileFilter, SearchOrder, SortField, Window};
pub(crate) use sqlite::{Audit, EmbeddedDatabase, Expected, ScrubDelay, free_name, with_suffix};
