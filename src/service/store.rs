//! All SQL of the service. One transaction a public function; rows in, records out; no HTTP, no addresses, no bytes.

mod database;
mod error;
mod files;
mod folders;
mod placement;
mod records;
mod search;

pub(super) use database::Store;
pub(super) use error::StoreError;
pub(super) use files::{Content, Created, DuplicateRule, ExpiryChange, FileChange, NewFile};
pub(super) use folders::FolderChange;
pub(super) use placement::Placement;
pub(super) use records::{FileKey, FileRecord, FolderKey, FolderRecord};
pub(super) use search::{FileField, FileFilter, FolderFilter, Range, Sort, Window};
