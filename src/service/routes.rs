//! Handlers, one file a resource. They check input, call the store and word the answer; no SQL.

pub(crate) mod content;
pub(crate) mod files;
pub(crate) mod folders;
mod placement;
pub(crate) mod search;
pub(crate) mod upload;
