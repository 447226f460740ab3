//! How a listing is ordered and continues from page to page.

use crate::api::position::Position;

/// What a listing is ordered by; the service sorts. Folders come before files and are always by name.
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
    /// Who may read it. The service has no such order, either.
    Access,
    /// Same content together. The service has no such order: of what is read whole only.
    Content,
}

/// Where the next page of a listing starts. Made by the engine, opaque to the asker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    pub stage: Stage,
    /// Offset inside the stage; the service ends it at 10,000 (`contract.md#search`).
    pub offset: u32,
    /// Past the end of offsets: only ids from this one on, in order of id.
    pub from_id: Option<u64>,
}

impl Cursor {
    /// Where a stage begins.
    pub(super) fn start(stage: Stage) -> Self {
        Self::at(stage, Position::default())
    }

    pub(super) fn at(stage: Stage, Position { offset, from_id }: Position) -> Self {
        Self { stage, offset, from_id }
    }

    /// The place within the stage.
    pub(super) fn position(&self) -> Position {
        Position { offset: self.offset, from_id: self.from_id }
    }
}

/// A listing is first the sub-folders, then the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    Folders,
    Files,
}
