//! All SQL of the service. One transaction a public function; rows in, records out; no HTTP, no addresses, no bytes.

mod audit;
mod beside;
mod block_sums;
mod content;
mod crm;
mod database;
mod error;
mod files;
mod folders;
mod group;
mod lookup;
mod marks;
mod name_filler;
mod name_index;
mod placement;
#[cfg(test)]
mod plans;
mod presence;
mod records;
mod recovered_files;
mod rescue;
mod restore;
mod rows;
mod salvage;
mod scrub;
mod search;
mod tasks;
mod unused_blobs;
mod values;

pub(crate) use audit::{Audit, Expected};
pub(crate) use beside::{free_name, with_suffix};
pub(crate) use content::Content;
pub(crate) use database::Store;
pub(crate) use error::StoreError;
pub(crate) use files::{Created, DuplicateRule, ExpiryChange, FileChange, NewFile};
pub(crate) use folders::FolderChange;
pub(crate) use marks::Mark;
pub(crate) use placement::Placement;
#[cfg(test)]
pub(crate) use records::Text;
pub(crate) use records::{FileKey, FileRecord, FolderKey, FolderRecord, ShownFile};
pub(crate) use recovered_files::Finding;
pub(crate) use restore::Restoration;
pub(crate) use salvage::{Salvage, SavedFile};
pub(crate) use scrub::Patience;
pub(crate) use search::{CommonFilter, Field, FieldRange, FileFilter, Sort, Window};
pub(crate) use tasks::{TaskKind, TaskRecord};
