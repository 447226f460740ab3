//! Which rows of a long list are on the screen: a function of the cursor and of where it stands, so that nothing has to be
//! remembered between frames.

use std::ops::Range;

/// The row of its window where a cursor stands, away from the ends of the list: the middle, unless it was put elsewhere by
/// a click, which must not make the rows jump.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stand(Option<usize>);

/// The page that the cursor is on: no row moves before it is left.
pub fn page(cursor: usize, len: usize, height: usize) -> Range<usize> {
    let height = height.max(1);
    let start = cursor.min(len.saturating_sub(1)) / height * height;
    start..start.saturating_add(height).min(len)
}

impl Stand {
    /// In this row of the window.
    pub fn at(row: usize) -> Self {
        Self(Some(row))
    }

    /// The rows to draw; the cursor is among them.
    pub fn window(self, cursor: usize, len: usize, height: usize) -> Range<usize> {
        let last_start = len.saturating_sub(height);
        let row = self.0.unwrap_or(height / 2).min(height.saturating_sub(1));
        let start = cursor.min(len.saturating_sub(1)).saturating_sub(row).min(last_start);
        start..start.saturating_add(height).min(len)
    }

    /// A step of the cursor towards the middle of its window leaves the rows where they are.
    pub fn follow(&mut self, from: usize, to: usize, height: usize) {
        let middle = height / 2;
        if let Some(row) = &mut self.0 {
            *row = if *row < middle {
                row.saturating_add(to.saturating_sub(from)).min(middle)
            } else {
                row.saturating_sub(from.saturating_sub(to)).max(middle)
            };
        }
    }
}

/// The rows to draw so that the cursor is among them and, away from the ends, in the middle.
pub fn window(cursor: usize, len: usize, height: usize) -> Range<usize> {
    Stand::default().window(cursor, len, height)
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
    fn a_cursor_that_was_clicked_stays_where_it_is_and_steps_back_to_the_middle() {
        let mut stand = Stand::at(1);
        assert_eq!(stand.window(50, 100, 10), 49..59);
        stand.follow(50, 52, 10);
        assert_eq!(stand.window(52, 100, 10), 49..59, "there is room below");
        stand.follow(52, 50, 10);
        assert_eq!(stand.window(50, 100, 10), 47..57, "away from the middle the rows move");
        stand.follow(50, 90, 10);
        assert_eq!(stand.window(90, 100, 10), 85..95);
        let mut stand = Stand::at(9);
        stand.follow(60, 57, 10);
        assert_eq!(stand.window(57, 100, 10), 51..61);
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
            let rows = Stand(row).window(cursor, len, height);
            prop_assert!(rows.contains(&cursor));
            prop_assert_eq!(rows.len(), height.min(len));
            prop_assert!(rows.end <= len);
        }
    }
}
