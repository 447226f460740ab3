//! All SQL of the service. One transaction a public function; rows in, records out; no HTTP, no addresses, no bytes.

mod audit;
mod block_sums;
mod content;
mod crm;
mod database;
mod error;
mod files;
mod folders;
mod group;
mod lookup;
mod name_index;
mod name_indexer;
mod placement;
mod presence;
#[cfg(test)]
mod query_plans;
mod records;
mod recovered_files;
mod rescue;
mod restore;
mod rows;
mod salvage;
mod sample_copy;
mod scrub;
mod search;
mod service_flags;
mod sibling_paths;
mod tasks;
mod unused_blobs;
mod values;

pub(crate) use audit::{Audit, Expected};
pub(crate) use content::StoredContent;
pub(crate) use database::Store;
pub(crate) use error::StoreError;
pub(crate) use files::{Created, DuplicateRule, ExpiryChange, FileChange, NewFileRow};
pub(crate) use folders::FolderChange;
pub(crate) use placement::Placement;
#[cfg(test)]
pub(crate) use records::BorrowedText;
pub(crate) use records::{FileKey, FileRecord, FolderKey, FolderRecord, ShownFile};
pub(crate) use recovered_files::Finding;
pub(crate) use restore::Restoration;
pub(crate) use salvage::{Salvage, SavedFile};
pub(crate) use scrub::ScrubDelay;
pub(crate) use search::{CommonFilter, FieldRange, FileFilter, SearchOrder, SortField, Window};
pub(crate) use service_flags::ServiceFlag;
pub(crate) use sibling_paths::{free_name, with_suffix};
pub(crate) use tasks::{TaskKind, TaskRecord};
