//! All SQL of the service. One transaction a public function; rows in, records out; no HTTP, no addresses, no bytes.

mod block_sums;
mod content;
mod crm;
mod error;
mod files;
mod folders;
mod placement;
mod records;
mod recovered_files;
mod restore;
mod search;
mod service_flags;
mod sqlite;
mod tasks;
mod unused_blobs;

pub(crate) use content::StoredContent;
pub(crate) use error::StoreError;
pub(crate) use files::{Created, DuplicateRule, ExpiryChange, FileChange, NewFileRow};
pub(crate) use folders::FolderChange;
pub(crate) use placement::Placement;
pub(crate) use records::{FileKey, FileRecord, FolderKey, FolderRecord};
pub(crate) use recovered_files::Finding;
pub(crate) use restore::Restoration;
pub(crate) use search::{CommonFilter, FieldRange, FileFilter, SearchOrder, SortField, Window};
pub(crate) use service_flags::ServiceFlag;
pub(crate) use sqlite::audit::{Audit, Expected};
pub(crate) use sqlite::database::Store;
pub(crate) use sqlite::salvage::{Salvage, SavedFile};
pub(crate) use sqlite::scrub::ScrubDelay;
pub(crate) use sqlite::sibling_paths::{free_name, with_suffix};
pub(crate) use tasks::{TaskKind, TaskRecord};
