//! The clickable parts of a dialog, recorded while it is drawn.

use ratatui::layout::{Position, Rect};

use crate::tui::keymap::Key;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DialogTarget {
    /// A field of a form, by its index; the row that shows more fields comes after the last one.
    Field(usize),
    Choice {
        field: usize,
        option: usize,
    },
    Row(usize),
    Cancel,
    /// The button that accepts.
    Accept,
    Key(Key),
}

#[derive(Debug, Clone, Default)]
pub struct Drawn {
    /// The position of the terminal's cursor: in the text field, else on the marked row or button,
    /// else at the start of the text.
    pub cursor: Position,
    /// Set if that is a text field.
    pub is_typing: bool,
    /// The clickable parts, later ones above earlier ones; the first is the whole dialog, with no
    /// target.
    pub targets: Vec<(Rect, Option<DialogTarget>)>,
}
