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

/// A part of the screen with content of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pane {
    Tree,
    /// The local list.
    Local,
    #[default]
    List,
    Details,
    Comparison,
    Tasks,
    Limits,
    Activity,
}

/// The width from which the tree has its own column; on narrower screens it covers the list.
pub const TREE_COLUMN_FROM: u16 = 100;

/// The width from which every pane has all the room it needs; the details then have `WIDE_DETAILS`
/// columns.
pub const WIDE_FROM: u16 = 160;
pub const WIDE_DETAILS: u16 = 68;

/// Returns `true` if the limits view has a pane that follows the cursor, on a screen of this size.
pub fn shows_limits_pane(cols: u16, plain: bool) -> bool {
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
            zoomed: false,
            plain: false,
            dragged: PaneSizes::default(),
            set: PaneSizes::default(),
        }
    }
}

impl Panes {
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
}
