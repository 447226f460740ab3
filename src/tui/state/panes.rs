//! Which view is open, which pane has the focus and which panes are shown at which width.

use crate::config::PaneSizes;

/// A whole screen, chosen by a digit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum View {
    #[default]
    Files,
    Tasks,
    Limits,
    Activity,
}

/// A pane of the files view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pane {
    Tree,
    /// The list of this machine.
    Local,
    #[default]
    List,
    Details,
}

/// What the list of this machine is open for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LocalPane {
    #[default]
    Closed,
    /// It stands beside the account's, in the place of the tree.
    Beside,
    /// It stands alone: a dialog waits for what is chosen in it.
    Choosing,
}

/// From this width on the tree has a column of its own; below, it lies over the list.
pub const TREE_COLUMN_FROM: u16 = 100;

/// From this width on every pane has all the room that it needs; the details then have so many columns.
pub const WIDE_FROM: u16 = 160;
pub const WIDE_DETAILS: u16 = 68;

/// Whether the limits have a pane that follows the cursor, on a screen of that size.
pub fn shows_limits_pane((cols, _): (u16, u16), plain: bool) -> bool {
    cols >= TREE_COLUMN_FROM && !plain
}

/// What the user has switched on; the width decides the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "seven switches that do not depend on each other")]
pub struct Panes {
    /// The tree's column, on screens of [`TREE_COLUMN_FROM`] columns or more.
    pub tree_column: bool,
    /// The tree over the list, on narrower screens.
    pub tree_overlay: bool,
    /// Details: a column on wide screens, a peek of three lines on narrow ones.
    pub details: bool,
    /// A look into the file or folder, above its details where these have room.
    pub preview: bool,
    /// Folders on the screen are counted in the background.
    pub folder_counts: bool,
    pub local: LocalPane,
    /// The focused pane has the whole body.
    pub zoomed: bool,
    /// For screen readers: one pane at a time, one line after the other, and as little as possible changes with a key.
    pub plain: bool,
    /// Sizes that were dragged, in this run or before.
    pub dragged: PaneSizes,
    /// Sizes that are set.
    pub set: PaneSizes,
}

/// A line between two panes, which can be dragged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Splitter {
    /// Between the tree and the list.
    Tree,
    /// Between the list and the details.
    Details,
    /// Above the strip.
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
    /// Whether the tree is on the screen at this width, as a column or over the list.
    pub fn tree_is_shown(self, cols: u16) -> bool {
        self.local == LocalPane::Closed && if cols >= TREE_COLUMN_FROM { self.tree_column } else { self.tree_overlay }
    }

    /// Whether the details have a column of their own at this width, or three lines. Two lists take more room than one.
    pub fn have_details_column(self, cols: u16) -> bool {
        cols >= if self.local == LocalPane::Closed { TREE_COLUMN_FROM } else { WIDE_FROM }
    }

    /// Shows or hides the tree in the form that this width has; says whether it is shown now.
    pub fn toggle_tree(&mut self, cols: u16) -> bool {
        let shown = if cols >= TREE_COLUMN_FROM { &mut self.tree_column } else { &mut self.tree_overlay };
        *shown = !*shown;
        *shown
    }

    /// How large panes are to be; none for the usual sizes.
    pub fn sizes(self) -> PaneSizes {
        self.dragged.or(self.set)
    }

    /// Whether the focused pane has the whole body.
    pub fn are_one(self) -> bool {
        self.zoomed || self.plain
    }

    /// Whether the details have room for more than a peek, at this width.
    pub fn shows_all_details(self, cols: u16, focus: Pane) -> bool {
        if self.are_one() { focus == Pane::Details } else { self.details && self.have_details_column(cols) }
    }

    /// The panes that can have the focus, in the order of Tab.
    pub fn shown(self, cols: u16) -> Vec<Pane> {
        if self.local == LocalPane::Choosing {
            return vec![Pane::Local];
        }
        let is_open = self.local != LocalPane::Closed;
        if self.plain {
            let local = is_open.then_some(Pane::Local);
            return [Pane::Tree].into_iter().chain(local).chain([Pane::List, Pane::Details]).collect();
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
        assert_eq!(panes.shown(80), [Pane::Tree, Pane::List, Pane::Details], "each has the whole screen");
    }
}
