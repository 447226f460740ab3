//! The open view, the focused pane, and the panes that each width shows.

use crate::config::PaneSizes;

/// A full-screen view, selected by a digit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum View {
    #[default]
    Files,
    Tasks,
    Limits,
    Activity,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pane {
    Tree,
    /// The local list.
    Local,
    #[default]
    List,
    Details,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LocalPane {
    #[default]
    Closed,
    /// Beside the account's list, in place of the tree.
    Beside,
    /// Alone: a dialog waits for the user's choice.
    Choosing,
}

/// The width from which the tree has its own column; on narrower screens it covers the list.
pub const TREE_COLUMN_FROM: u16 = 100;

/// The width from which every pane has all the room it needs; the details then have `WIDE_DETAILS`
/// columns.
pub const WIDE_FROM: u16 = 160;
pub const WIDE_DETAILS: u16 = 68;

/// Returns `true` if the limits view has a pane that follows the cursor, on a screen of this size.
pub fn shows_limits_pane((cols, _): (u16, u16), plain: bool) -> bool {
    cols >= TREE_COLUMN_FROM && !plain
}

/// The panes that the user has enabled; the width decides the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "seven switches that do not depend on each other"
)]
pub struct Panes {
    /// The tree's column, on screens of [`TREE_COLUMN_FROM`] columns or more.
    pub tree_column: bool,
    /// The tree over the list, on narrower screens.
    pub tree_overlay: bool,
    /// The details: a column on wide screens, three lines on narrow ones.
    pub details: bool,
    /// The preview above the details, where there is room.
    pub preview: bool,
    /// Set if the folders on the screen are counted in the background.
    pub folder_counts: bool,
    pub local: LocalPane,
    /// Set while the focused pane fills the body.
    pub zoomed: bool,
    /// Set for screen readers: one pane at a time, line by line, and as few changes per key as
    /// possible.
    pub plain: bool,
    /// Sizes set by dragging, in this run or an earlier one.
    pub dragged: PaneSizes,
    /// Sizes from the settings.
    pub set: PaneSizes,
}

/// A draggable line between two panes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Splitter {
    Tree,
    Details,
    Strip,
}

impl Default for Panes {
    fn default() -> Self {
        Self {
            tree_column: true,
            tree_overlay: false,
            details: true,
            preview: true,
            folder_counts: false,
            local: LocalPane::Closed,
            zoomed: false,
            plain: false,
            dragged: PaneSizes::default(),
            set: PaneSizes::default(),
        }
    }
}

impl Panes {
    /// Returns `true` if the tree is visible at this width, as a column or over the list.
    pub fn tree_is_shown(self, cols: u16) -> bool {
        self.local == LocalPane::Closed
            && if cols >= TREE_COLUMN_FROM {
                self.tree_column
            } else {
                self.tree_overlay
            }
    }

    /// Returns `true` if the details have their own column at this width, not three lines. Two
    /// lists need more room.
    pub fn have_details_column(self, cols: u16) -> bool {
        cols >= if self.local == LocalPane::Closed {
            TREE_COLUMN_FROM
        } else {
            WIDE_FROM
        }
    }

    /// Shows or hides the tree in its form at this width; returns `true` if it is now shown.
    pub fn toggle_tree(&mut self, cols: u16) -> bool {
        let shown = if cols >= TREE_COLUMN_FROM {
            &mut self.tree_column
        } else {
            &mut self.tree_overlay
        };
        *shown = !*shown;
        *shown
    }

    /// The sizes of panes; `None` for the defaults.
    pub fn sizes(self) -> PaneSizes {
        self.dragged.or(self.set)
    }

    /// Returns `true` if the focused pane fills the body.
    pub fn are_one(self) -> bool {
        self.zoomed || self.plain
    }

    /// Returns `true` if the details have more than three lines at this width.
    pub fn shows_all_details(self, cols: u16, focus: Pane) -> bool {
        if self.are_one() {
            focus == Pane::Details
        } else {
            self.details && self.have_details_column(cols)
        }
    }

    /// The panes that can have the focus, in Tab order.
    pub fn shown(self, cols: u16) -> Vec<Pane> {
        if self.local == LocalPane::Choosing {
            return vec![Pane::Local];
        }
        let is_open = self.local != LocalPane::Closed;
        if self.plain {
            let local = is_open.then_some(Pane::Local);
            return [Pane::Tree]
                .into_iter()
                .chain(local)
                .chain([Pane::List, Pane::Details])
                .collect();
        }
        let mut panes = vec![Pane::List];
        if is_open {
            panes.insert(0, Pane::Local);
        }
        if self.tree_is_shown(cols) {
            panes.insert(0, Pane::Tree);
        }
        if self.details {
            panes.push(Pane::Details);
        }
        panes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_is_a_column_on_wide_screens_and_hidden_at_first_on_narrow_ones() {
        let mut panes = Panes::default();
        assert_eq!(panes.shown(120), [Pane::Tree, Pane::List, Pane::Details]);
        assert_eq!(panes.shown(80), [Pane::List, Pane::Details]);
        assert!(panes.toggle_tree(80));
        assert_eq!(panes.shown(80), [Pane::Tree, Pane::List, Pane::Details]);
        assert!(!panes.toggle_tree(120));
        assert!(panes.tree_is_shown(80), "each width keeps its own choice");
        panes.plain = true;
        assert_eq!(
            panes.shown(80),
            [Pane::Tree, Pane::List, Pane::Details],
            "each has the whole screen"
        );
    }
}
