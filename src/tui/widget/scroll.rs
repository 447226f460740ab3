//! The visible rows of a long list, as a function of the cursor and its row in the window; and the
//! scrollbar.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Scrollbar, ScrollbarOrientation, ScrollbarState, StatefulWidget};

use crate::tui::style::symbols::{MONO_THUMB, THUMB};
use crate::tui::style::theme::Theme;

/// Rows that stay visible before and after the cursor as it steps.
const MARGIN: usize = 4;

/// The window row of the cursor, away from the ends of the list: the middle, until it steps or is
/// clicked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CursorOffset(Option<usize>);

/// The page that holds the cursor: rows do not move until it leaves the page.
pub fn page(cursor: usize, len: usize, height: usize) -> Range<usize> {
    let height = height.max(1);
    let start = cursor.min(len.saturating_sub(1)) / height * height;
    start..start.saturating_add(height).min(len)
}

impl CursorOffset {
    /// Puts the cursor in this row of the window.
    pub fn at(row: usize) -> Self {
        Self(Some(row))
    }

    /// The rows to draw; they include the cursor.
    pub fn window(self, cursor: usize, len: usize, height: usize) -> Range<usize> {
        let last_start = len.saturating_sub(height);
        let row = self.0.unwrap_or(height / 2).min(height.saturating_sub(1));
        let start = cursor
            .min(len.saturating_sub(1))
            .saturating_sub(row)
            .min(last_start);
        start..start.saturating_add(height).min(len)
    }

    /// On a step of the cursor, the rows stay in place as long as some are visible beyond it. On a
    /// leap, the rows move and the cursor keeps its row in the window, away from the edges.
    pub fn follow(&mut self, from: usize, to: usize, len: usize, height: usize) {
        let row = from.saturating_sub(self.window(from, len, height).start);
        let margin = MARGIN.min(height.saturating_sub(1) / 2);
        let lowest = height.saturating_sub(1 + margin);
        self.0 = Some(match to.abs_diff(from) {
            1 if to > from => row.saturating_add(1).min(lowest.max(row)),
            1 => row.saturating_sub(1).max(margin.min(row)),
            _ => row.clamp(margin, lowest.max(margin)),
        });
    }
}

/// The rows to draw so that the cursor is visible and, away from the ends, centered.
pub fn window(cursor: usize, len: usize, height: usize) -> Range<usize> {
    CursorOffset::default().window(cursor, len, height)
}

/// Draws a scrollbar in the last column of an area if not all of the `len` rows are visible.
pub fn bar(
    area: Rect,
    buf: &mut Buffer,
    (first, shown, len): (usize, usize, usize),
    theme: &Theme,
) {
    if len <= shown {
        return;
    }
    let mut state = ScrollbarState::new(len.saturating_sub(shown) + 1)
        .position(first)
        .viewport_content_length(shown);
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
        assert_eq!(window(cursor, len, height), expected);
    }

    #[test]
    fn rows_stay_until_a_cursor_that_steps_comes_near_their_end() {
        let mut cursor_offset = CursorOffset::default();
        let mut cursor = 50;
        let mut step = |to: usize| {
            cursor_offset.follow(cursor, to, 100, 20);
            cursor = to;
            cursor_offset.window(cursor, 100, 20)
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
        let mut cursor_offset = CursorOffset::at(1);
        assert_eq!(cursor_offset.window(50, 100, 10), 49..59);
        cursor_offset.follow(50, 51, 100, 10);
        assert_eq!(
            cursor_offset.window(51, 100, 10),
            49..59,
            "there is room below"
        );
        let mut cursor_offset = CursorOffset::at(1);
        cursor_offset.follow(50, 49, 100, 10);
        assert_eq!(
            cursor_offset.window(49, 100, 10),
            48..58,
            "the rows move with it"
        );
        let mut cursor_offset = CursorOffset::at(9);
        cursor_offset.follow(60, 61, 100, 10);
        assert_eq!(cursor_offset.window(61, 100, 10), 52..62);
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
            let rows = CursorOffset(row).window(cursor, len, height);
            prop_assert!(rows.contains(&cursor));
            prop_assert_eq!(rows.len(), height.min(len));
            prop_assert!(rows.end <= len);
        }
    }
}
