//! The panes of the files view that are on the screen, by mode and width.

use super::mode::Mode;
use super::panes::{Pane, TREE_COLUMN_FROM, WIDE_FROM};
use super::program::State;

impl State {
    /// Returns `true` if the tree is visible, as a column or over the list.
    pub fn shows_tree(&self) -> bool {
        let is_enabled = if self.size.width >= TREE_COLUMN_FROM {
            self.panes.tree_column
        } else {
            self.panes.tree_overlay
        };
        is_enabled && !self.mode.has_two_lists()
    }

    /// Returns `true` if the duplicates, which have more to show, cover the tree at this width
    /// until it gets the focus.
    pub fn copies_cover_tree(&self) -> bool {
        let is_middle = (TREE_COLUMN_FROM..WIDE_FROM).contains(&self.size.width);
        is_middle && self.focus != Pane::Tree && self.files.listing.duplicate_groups() > 0
    }

    /// Returns `true` if the details have their own column, not three lines. Two lists need more
    /// room.
    pub fn has_details_column(&self) -> bool {
        let least = if self.mode.has_two_lists() {
            WIDE_FROM
        } else {
            TREE_COLUMN_FROM
        };
        self.size.width >= least
    }

    /// Returns `true` if the details have more than three lines.
    pub fn shows_all_details(&self) -> bool {
        if self.panes.are_one() {
            self.focus == Pane::Details
        } else {
            self.panes.details && self.has_details_column()
        }
    }

    /// The panes that can have the focus, in Tab order.
    pub fn shown_panes(&self) -> Vec<Pane> {
        let (is_plain, has_local) = (self.panes.plain, self.mode.has_local_list());
        let panes = [
            (Pane::Tree, is_plain || self.shows_tree()),
            (Pane::Local, has_local),
            (Pane::List, true),
            (Pane::Details, is_plain || self.panes.details),
        ];
        let is_shown = |(pane, is_shown): (Pane, bool)| is_shown.then_some(pane);
        match self.mode {
            Mode::Choosing(_) => vec![Pane::Local],
            _ => panes.into_iter().filter_map(is_shown).collect(),
        }
    }
}
