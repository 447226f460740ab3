//! The cursor of a list, with the rows around it that are visible; and the scrollbar.

use std::ops::Range;

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Scrollbar, ScrollbarOrientation, ScrollbarState, StatefulWidget};

use crate::tui::style::symbols::{MONO_THUMB, THUMB};
use crate::tui::style::theme::Theme;

/// Rows that stay visible before and after the cursor as it steps.
const MARGIN: usize = 4;
/// The rows that a key for a page moves by in a dialog.
const PAGE: isize = 10;

/// The cursor of a list: the row that it is on, and the rows of the list that are visible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ListCursor {
    at: usize,
    len: usize,
    /// The window row of the cursor, away from the ends of the list: the middle, until it steps or
    /// is clicked.
    offset: Option<usize>,
}

impl ListCursor {
    /// Creates a cursor on the first of `len` rows.
    pub fn new(len: usize) -> Self {
        Self {
            len,
            ..Self::default()
        }
    }

    /// The same cursor in a list of `len` rows, on this one of them.
    #[must_use]
    pub fn on(self, at: usize, len: usize) -> Self {
        let at = at.min(len.saturating_sub(1));
        Self { at, len, ..self }
    }

    /// The same cursor in a list of `len` rows.
    #[must_use]
    pub fn among(self, len: usize) -> Self {
        self.on(self.at, len)
    }

    /// The index of its row; 0 if there are none.
    pub fn at(self) -> usize {
        self.at
    }

    /// The number of rows in the list.
    pub fn count(self) -> usize {
        self.len
    }

    /// Handles a key that moves in any list, letters included; returns `true` if it was one.
    pub fn on_key(&mut self, key: KeyCode) -> bool {
        match key {
            KeyCode::Char('j') => self.step(1),
            KeyCode::Char('k') => self.step(-1),
            _ => return self.on_arrow(key),
        }
        true
    }

    /// Handles the keys that are not letters, for lists in which letters mean something else.
    pub fn on_arrow(&mut self, key: KeyCode) -> bool {
        match key {
            KeyCode::Down => self.step(1),
            KeyCode::Up => self.step(-1),
            KeyCode::PageDown => self.step(PAGE),
            KeyCode::PageUp => self.step(-PAGE),
            KeyCode::Home => self.go_to(0),
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
        *self = self.on(row, self.len);
    }

    /// Moves to a row and puts it into this row of the window; `None` for the middle.
    pub fn put(&mut self, row: usize, offset: Option<usize>) {
        self.go_to(row);
        self.offset = offset;
    }

    /// Moves to a row of a list that stands in lines of `across` rows, of which `height` are
    /// visible. On a step, the lines stay in place as long as some are visible beyond the cursor.
    /// On a leap, the lines move and the cursor keeps its place in the window, away from the edges.
    pub fn walk_to(&mut self, to: usize, across: usize, height: usize) {
        let from = self.in_lines(across);
        self.go_to(to);
        let to = self.in_lines(across).at;
        let row = from.at.saturating_sub(from.window(height).start);
        let margin = MARGIN.min(height.saturating_sub(1) / 2);
        let lowest = height.saturating_sub(1 + margin);
        self.offset = Some(match to.abs_diff(from.at) {
            1 if to > from.at => row.saturating_add(1).min(lowest.max(row)),
            1 => row.saturating_sub(1).max(margin.min(row)),
            _ => row.clamp(margin, lowest.max(margin)),
        });
    }

    /// The cursor among the lines of `across` rows.
    #[must_use]
    pub fn in_lines(self, across: usize) -> Self {
        let across = across.max(1);
        self.on(self.at / across, self.len.div_ceil(across))
    }

    /// The rows to draw; they include the cursor.
    pub fn window(self, height: usize) -> Range<usize> {
        let last_start = self.len.saturating_sub(height);
        let row = self.offset.unwrap_or(height / 2);
        let row = row.min(height.saturating_sub(1));
        let start = self.at.saturating_sub(row).min(last_start);
        start..start.saturating_add(height).min(self.len)
    }

    /// The page that holds the cursor: rows do not move until it leaves the page.
    pub fn page(self, height: usize) -> Range<usize> {
        let height = height.max(1);
        let start = self.at / height * height;
        start..start.saturating_add(height).min(self.len)
    }
}

/// Draws a scrollbar in the last column of an area if not all of the `len` rows are visible.
pub fn bar(area: Rect, buf: &mut Buffer, shown: Range<usize>, len: usize, theme: &Theme) {
    if len <= shown.len() {
        return;
    }
    let mut state = ScrollbarState::new(len.saturating_sub(shown.len()) + 1)
        .position(shown.start)
        .viewport_content_length(shown.len());
    Scrollbar::new(ScrollbarOrientation::VerticalRight)
        .begin_symbol(None)
        .end_symbol(None)
        .track_symbol(None)
        .thumb_symbol(if theme.is_mono() { MONO_THUMB } else { THUMB })
        .thumb_style(theme.cursor)
        .render(area, buf, &mut state);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::shorter_than_the_screen(1, 3, 10, 0..3)]
    #[case::top(0, 100, 10, 0..10)]
    #[case::middle(50, 100, 10, 45..55)]
    #[case::bottom(99, 100, 10, 90..100)]
    #[case::empty(0, 0, 10, 0..0)]
    #[case::no_room(5, 10, 0, 5..5)]
    fn the_window_holds_the_cursor(
        #[case] cursor: usize,
        #[case] len: usize,
        #[case] height: usize,
        #[case] expected: Range<usize>,
    ) {
        let list = ListCursor::default().on(cursor, len);
        assert_eq!(list.window(height), expected);
    }

    #[test]
    fn rows_stay_until_a_cursor_that_steps_comes_near_their_end() {
        let mut cursor = ListCursor::default().on(50, 100);
        let mut step = |to: usize| {
            cursor.walk_to(to, 1, 20);
            cursor.window(20)
        };
        assert_eq!(step(51), 40..60, "from the middle");
        for to in 52..=55 {
            assert_eq!(step(to), 40..60);
        }
        assert_eq!(step(56), 41..61, "four are left below");
        assert_eq!(step(55), 41..61, "there is room above");
        assert_eq!(step(65), 51..71, "a leap takes the rows along");
        for to in (55..65).rev() {
            assert_eq!(step(to), 51..71);
        }
        assert_eq!(step(54), 50..70, "four are left above");
        assert_eq!(step(99), 80..100, "the last");
        assert_eq!(step(98), 80..100);
    }

    #[test]
    fn a_cursor_that_was_clicked_near_the_end_of_its_window_does_not_make_the_rows_jump() {
        let clicked = |row: usize, offset: usize| {
            let mut cursor = ListCursor::new(100);
            cursor.put(row, Some(offset));
            cursor
        };
        let mut cursor = clicked(50, 1);
        assert_eq!(cursor.window(10), 49..59);
        cursor.walk_to(51, 1, 10);
        assert_eq!(cursor.window(10), 49..59, "there is room below");
        let mut cursor = clicked(50, 1);
        cursor.walk_to(49, 1, 10);
        assert_eq!(cursor.window(10), 48..58, "the rows move with it");
        let mut cursor = clicked(60, 9);
        cursor.walk_to(61, 1, 10);
        assert_eq!(cursor.window(10), 52..62);
    }

    proptest! {
        #[test]
        fn a_window_is_full_and_inside_the_list(
            cursor in 0_usize..5000,
            len in 1_usize..5000,
            height in 1_usize..200,
            row in proptest::option::of(0_usize..300),
        ) {
            let cursor = cursor.min(len - 1);
            let mut list = ListCursor::new(len);
            list.put(cursor, row);
            let rows = list.window(height);
            prop_assert!(rows.contains(&cursor));
            prop_assert_eq!(rows.len(), height.min(len));
            prop_assert!(rows.end <= len);
        }
    }
}
