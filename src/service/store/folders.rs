//! The rules of folders. A row has its parent and full path, and files name their folder: a rename
//! leaves files alone.

mod create;
mod delete;
mod read;
mod relocate;

pub(super) use create::find_or_create_folder;
pub(super) use read::{find_folder, find_placement};
pub(crate) use relocate::FolderChange;
