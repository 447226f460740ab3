//! File rows. Reading is in `read`, everything that writes in a file of its own verb.

mod create;
mod delete;
mod erase;
mod name_clash;
mod read;
mod update;

pub(crate) use create::{Created, DuplicateRule, NewFile};
pub(crate) use update::{ExpiryChange, FileChange};
