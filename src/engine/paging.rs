//! The order of a listing, and its way from page to page.

use crate::api::Position;

/// The order of a listing; the service sorts. Folders come before files and are always by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sort {
    pub key: SortKey,
    pub descending: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SortKey {
    #[default]
    Name,
    Size,
    Kind,
    Created,
    Updated,
    Expires,
    /// The access level. The service has no such order.
    Access,
    /// Files with the same content together. The service has no such order: only for what is read
    /// whole.
    Content,
}

/// The start of the next page of a listing. Made by the engine, opaque to the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    pub stage: Stage,
    pub position: Position,
}

/// The stages of a listing: first the subfolders, then the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    Folders,
    Files,
}
