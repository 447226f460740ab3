//! The order of a listing, and its way from page to page.

use crate::api::position::Position;

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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    pub stage: Stage,
    /// The offset inside the stage; the service ends it at 10,000 (`contract.md#search`).
    pub offset: u32,
    /// Set past the end of offsets: only ids from this one on, in order of id.
    pub from_id: Option<u64>,
}

impl Cursor {
    pub(super) fn start(stage: Stage) -> Self {
        Self::at(stage, Position::default())
    }

    pub(super) fn at(stage: Stage, Position { offset, from_id }: Position) -> Self {
        Self {
            stage,
            offset,
            from_id,
        }
    }

    pub(super) fn position(&self) -> Position {
        Position {
            offset: self.offset,
            from_id: self.from_id,
        }
    }
}

/// The stages of a listing: first the subfolders, then the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    Folders,
    Files,
}
