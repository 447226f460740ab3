//! Handlers, one file a resource. They check input, call the store and word the answer; no SQL.

pub(super) mod content;
pub(super) mod files;
pub(super) mod folders;
mod placement;
pub(super) mod search;
pub(super) mod upload;
