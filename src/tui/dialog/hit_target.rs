//! What of a dialog can be clicked. Noted while the dialog is drawn.

use ratatui::layout::{Position, Rect};

use crate::tui::keymap::Key;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DialogTarget {
    /// A field of a form, by its index; after the last one comes the row that shows more of them.
    Field(usize),
    /// One of the choices of a field.
    Choice {
        field: usize,
        option: usize,
    },
    /// A row of a list.
    Row(usize),
    Cancel,
    /// The button that does it.
    Accept,
    /// A key of the line of keys.
    Key(Key),
}

/// The result of drawing a dialog.
#[derive(Debug, Clone, Default)]
pub struct Drawn {
    /// Where the cursor of the terminal stands: in the text field, else on the row or the button that is marked, else where
    /// the text begins.
    pub cursor: Position,
    /// Whether that is a text field.
    pub is_typing: bool,
    /// What can be clicked, later ones over earlier ones; first all of the dialog, which is nothing in particular.
    pub targets: Vec<(Rect, Option<DialogTarget>)>,
}
