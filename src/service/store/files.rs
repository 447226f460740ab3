//! The rules of files. Reading is in `read`; each operation that writes has a file named after it.

mod create;
mod delete;
mod erase;
mod name_clash;
mod read;
mod update;

pub(super) use create::create;
pub(super) use erase::oldest_remains;
pub(super) use name_clash::next_free_name;

pub(crate) use create::{Created, DuplicateRule, NewFileRow};
pub(crate) use update::{ExpiryChange, FileChange};
