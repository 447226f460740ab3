//! The cursor of a list in a dialog: the row that it is on, and the rows that are visible.

use std::ops::Range;

use crossterm::event::KeyCode;

use crate::tui::keymap::Key;
use crate::tui::widget::scroll;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ListCursor {
    pub(super) at: usize,
    len: usize,
}

const PAGE: isize = 10;

impl ListCursor {
    /// Creates a cursor on the first of `len` rows.
    pub(super) fn new(len: usize) -> Self {
        Self { at: 0, len }
    }

    /// Handles a key that moves in any list, letters included; returns `true` if it was one.
    pub(super) fn on_key(&mut self, key: Key) -> bool {
        match key.code {
            KeyCode::Char('j') => self.step(1),
            KeyCode::Char('k') => self.step(-1),
            _ => return self.on_arrow(key),
        }
        true
    }

    /// Handles the keys that are not letters, for lists in which letters mean something else.
    pub(super) fn on_arrow(&mut self, key: Key) -> bool {
        match key.code {
            KeyCode::Down => self.step(1),
            KeyCode::Up => self.step(-1),
            KeyCode::PageDown => self.step(PAGE),
            KeyCode::PageUp => self.step(-PAGE),
            KeyCode::Home => self.at = 0,
            KeyCode::End => self.go_to(usize::MAX),
            _ => return false,
        }
        true
    }

    pub fn step(&mut self, by: isize) {
        self.go_to(self.at.saturating_add_signed(by));
    }

    /// Moves to a row, or to the last one.
    pub fn go_to(&mut self, row: usize) {
        self.at = row.min(self.len.saturating_sub(1));
    }

    /// Returns the rows that fit into `room` lines.
    pub(super) fn visible(&self, room: usize) -> Range<usize> {
        scroll::window(self.at, self.len, room)
    }
}
