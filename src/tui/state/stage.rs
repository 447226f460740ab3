//! The load state of the open list, and the read in progress: both are stored, never inferred.

use crate::api::Error;
use crate::engine::OpId;

/// The part of the folder that is loaded.
#[derive(Debug, Clone, PartialEq)]
pub enum ListStage {
    /// Not loaded, and not requested.
    Unread,
    /// Not loaded; the first page is on its way.
    Loading,
    /// Some rows; there may be more.
    Partial,
    /// Every row.
    Whole,
    /// The first page or the rest could not be read.
    Failed(Error),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pending {
    pub op: OpId,
    pub ask: ListRead,
}

/// The part of the open folder to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListRead {
    /// The first page, in the current order.
    First,
    /// The page after the loaded rows.
    Next,
    /// The current state of some rows, and new ones.
    Look,
    Whole(ListPurpose),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListPurpose {
    /// A jump to the last row.
    End,
    MarkAll,
    Invert,
    Filter,
    /// A check of which names are taken.
    Rename,
    /// A sort, because the service's own sorted lists end at 10,000.
    Order,
    Refresh,
}

impl ListPurpose {
    /// Returns `true` if rows are marked after the read.
    pub fn marks(self) -> bool {
        matches!(self, Self::MarkAll | Self::Invert)
    }
}
