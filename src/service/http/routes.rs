//! Handlers, one file per resource. They check input, call the store and build the response; no
//! SQL.

pub(crate) mod content;
mod copies;
mod duplicates;
pub(crate) mod files;
pub(crate) mod folder_tasks;
pub(crate) mod folders;
pub(crate) mod health;
mod hidden;
pub(crate) mod imports;
pub(crate) mod limits;
mod placement;
pub(crate) mod search;
mod stored_bytes;
mod tasks;
pub(crate) mod upload;
