//! Which rows of a long list are on the screen. Keeps no state: the window follows from cursor, length and height.

use std::ops::Range;

/// The rows to draw so that the cursor is among them and, away from the ends, in the middle third:
/// the window is a function of the cursor alone, so that nothing has to be remembered between frames.
pub fn window(cursor: usize, len: usize, height: usize) -> Range<usize> {
    let last_start = len.saturating_sub(height);
    let start = cursor.min(len.saturating_sub(1)).saturating_sub(height / 2).min(last_start);
    start..start.saturating_add(height).min(len)
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

    proptest! {
        #[test]
        fn a_window_is_full_and_inside_the_list(cursor in 0_usize..5000, len in 1_usize..5000, height in 1_usize..200) {
            let cursor = cursor.min(len - 1);
            let rows = window(cursor, len, height);
            prop_assert!(rows.contains(&cursor));
            prop_assert_eq!(rows.len(), height.min(len));
            prop_assert!(rows.end <= len);
        }
    }
}
