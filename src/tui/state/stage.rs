//! How much of what is open is known, and what of it is being read: both are said, never inferred.

use crate::api::Error;
use crate::engine::OpId;

/// How much of the folder is known.
#[derive(Debug, Clone, PartialEq)]
pub enum ListStage {
    /// Nothing, and nothing was asked for.
    Unread,
    /// Nothing yet; the first page is on its way.
    Loading,
    /// The rows that are here; there may be more.
    Partial,
    /// Every row.
    Whole,
    /// The first page did not come, or the rest did not.
    Failed(Error),
}

/// A read of the open folder that is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pending {
    pub op: OpId,
    pub ask: ListRead,
}

/// What is read of the open folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListRead {
    /// The first page, in the order that the list has now.
    First,
    /// The page after what is loaded.
    Next,
    /// How some rows are now, and what has come since.
    Look,
    Whole(ListPurpose),
}

/// Why the whole folder is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListPurpose {
    /// To go to the last row.
    End,
    MarkAll,
    Invert,
    Filter,
    /// To know which names are taken.
    Rename,
    /// The service ends its own orders at 10,000.
    Order,
    Refresh,
}

impl ListPurpose {
    /// Whether rows are marked when the folder is read.
    pub fn marks(self) -> bool {
        matches!(self, Self::MarkAll | Self::Invert)
    }
}
