//! The meaning of a click at a cell of the screen.

use std::ops::Range;

use ratatui::layout::{Position, Rect};

use crate::engine::message::SortKey;
use crate::tui::dialog::DialogTarget;
use crate::tui::keymap::{Action, Key};
use crate::tui::pane::frame;
use crate::tui::state::{Pane, Splitter, View};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HitTarget {
    Tab(View),
    Key(Key),
    Splitter(Splitter),
    Scrollbar(Pane),
    /// A row of the which-key box.
    Action(Action),
    /// A column heading that sorts a list by its column.
    Heading {
        of: Pane,
        key: SortKey,
    },
    Row {
        of: Pane,
        /// The index among all rows.
        row: usize,
        /// The index among the visible rows.
        at: usize,
    },
    /// The sign in a task's row that expands or collapses it.
    Sign {
        row: usize,
        at: usize,
    },
    /// The area of a list below or next to its rows.
    Beside(Pane),
    Details,
    /// The list of the other account.
    OtherAccount,
    /// The pane of the limits view that follows the cursor.
    Aside,
    /// A pane of the strip, which shows part of a view.
    Strip(View),
    Dialog(DialogTarget),
    /// The rest of a dialog.
    InDialog,
}

impl HitTarget {
    /// The pane that a target is part of.
    pub fn pane(self) -> Option<Pane> {
        match self {
            Self::Heading { of, .. }
            | Self::Row { of, .. }
            | Self::Beside(of)
            | Self::Scrollbar(of) => Some(of),
            Self::Sign { .. } => Some(Pane::Tasks),
            Self::Details => Some(Pane::Details),
            Self::Aside => Some(Pane::Limits),
            _ => None,
        }
    }
}

/// A box with selectable rows.
pub(crate) struct ListBox {
    pub(crate) of: Pane,
    pub(crate) area: Rect,
    /// The part of the area that has the rows.
    pub(crate) rows: Rect,
    /// The visible rows among all `len`.
    pub(crate) shown: Range<usize>,
    pub(crate) len: usize,
}

impl ListBox {
    pub(crate) fn hit(&self, at: Position) -> HitTarget {
        let line = self
            .rows
            .contains(at)
            .then(|| usize::from(at.y - self.rows.y));
        let place = line.and_then(|line| Some((line, self.shown.clone().nth(line)?)));
        place.map_or(HitTarget::Beside(self.of), |(at, row)| HitTarget::Row {
            of: self.of,
            row,
            at,
        })
    }

    /// The column of the scrollbar; `None` if all rows are visible.
    pub(crate) fn track(&self) -> Option<Rect> {
        (self.len > self.shown.len()).then(|| frame::track(self.area))
    }
}
