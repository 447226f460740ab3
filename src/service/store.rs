//! What the service keeps in a database, and the rules for it. One transaction a public function; records in, records out;
//! no HTTP, no addresses, no bytes. All SQL is in `sqlite`, which the rules call within a transaction.

mod blobs;
mod content;
mod crm;
mod error;
mod figures;
mod files;
mod folders;
mod marks;
mod placement;
mod records;
mod restore;
mod search;
mod sqlite;
mod tasks;

pub(crate) use content::StoredContent;
pub(crate) use error::StoreError;
pub(crate) use figures::StoreFigures;
pub(crate) use files::{Created, DuplicateRule, ExpiryChange, FileChange, NewFileRow};
pub(crate) use folders::FolderChange;
pub(crate) use placement::Placement;
pub(crate) use records::{FileKey, FileRecord, Finding, FolderKey, FolderRecord, ServiceFlag, TaskKind, TaskRecord};
pub(crate) use restore::Restoration;
pub(crate) use search::{CommonFilter, FieldRange, FileFilter, SearchOrder, SortField, Window};
pub(crate) use sqlite::{
    Audit, DatabaseFailures, Expected, Salvage, SavedFile, ScrubDelay, Store, free_name, with_suffix,
};
