//! Which columns fit: Type goes first, then the time, then the expiry, until the name has room.

use crate::engine::message::{Sort, SortKey};
use crate::tui::widget::text::{left, right, width};

/// Cursor, mark, glyph and a gap.
pub(super) const SIGNS: usize = 4;
pub(super) const ACCESS: usize = 9;
pub(super) const SIZE: usize = 10;
pub(super) const KIND: usize = 5;
pub(super) const TIME: usize = 7;
/// A name with less is hard to tell from others.
const LEAST_NAME: usize = 24;
/// A type is worth its place only where names have more than enough.
const NAME_BESIDE_TYPE: usize = 44;
/// Air at the right.
const MARGIN: usize = 1;

/// The columns of one width, in cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Columns {
    pub(super) name: usize,
    pub(super) kind: bool,
    pub(super) time: bool,
    pub(super) expires: bool,
}

impl Columns {
    /// `wants_expiry`: whether a row on the screen has one; else its column is the first to go.
    pub(super) fn fit(cells: usize, wants_expiry: bool) -> Self {
        let fixed = SIGNS + 1 + ACCESS + 1 + SIZE + MARGIN;
        let name = |columns: [bool; 3]| {
            let widths = [2 + KIND, 1 + TIME, 1 + TIME];
            let taken: usize = columns.iter().zip(widths).map(|(shown, width)| usize::from(*shown) * width).sum();
            cells.saturating_sub(fixed + taken)
        };
        // Type, time, expiry.
        let (all, two) = ([true; 3], [false, true, true]);
        let one = if wants_expiry { [false, false, true] } else { [false, true, false] };
        let shown = match () {
            () if name(all) >= NAME_BESIDE_TYPE => all,
            () if name(two) >= LEAST_NAME => two,
            () if name(one) >= LEAST_NAME => one,
            () => [false; 3],
        };
        let [kind, time, expires] = shown;
        Self { name: name(shown), kind, time, expires }
    }

    /// The line of headings. The note stands where names do.
    pub(super) fn heading(&self, sort: Sort, note: &str) -> String {
        self.headings(sort, note).into_iter().map(|(text, _)| text).collect()
    }

    /// What the column at a cell is sorted by, if it can be.
    pub(crate) fn key_at(&self, cell: usize, sort: Sort) -> Option<SortKey> {
        let mut end = 0;
        self.headings(sort, "").into_iter().find_map(|(text, key)| {
            end += width(&text);
            (cell < end).then_some(key)
        })?
    }

    fn headings(&self, sort: Sort, note: &str) -> Vec<(String, Option<SortKey>)> {
        let (time, time_key) =
            if sort.key == SortKey::Created { ("Created", sort.key) } else { ("Updated", SortKey::Updated) };
        let mut cells = vec![
            (format!("{:SIGNS$}{}", "", left(&format!("Name{note}"), self.name)), Some(SortKey::Name)),
            (format!(" {}", left("Access", ACCESS)), None),
            (format!(" {}", right("Size", SIZE)), Some(SortKey::Size)),
        ];
        if self.kind {
            cells.push((format!("  {}", left("Type", KIND)), Some(SortKey::Kind)));
        }
        if self.time {
            cells.push((format!(" {}", right(time, TIME)), Some(time_key)));
        }
        if self.expires {
            cells.push((format!(" {}", right("Expires", TIME)), None));
        }
        cells
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::wide(98, true, [true, true, true])]
    #[case::full_width(78, true, [false, true, true])]
    #[case::between_panes(58, true, [false, false, true])]
    #[case::between_panes_without_expiry(58, false, [false, true, false])]
    #[case::narrowest(48, true, [false, false, false])]
    fn columns_are_dropped_in_order(#[case] cells: usize, #[case] wants_expiry: bool, #[case] expected: [bool; 3]) {
        let columns = Columns::fit(cells, wants_expiry);
        assert_eq!([columns.kind, columns.time, columns.expires], expected);
        assert!(columns.name >= 24 || expected == [false; 3]);
    }

    #[test]
    fn the_heading_stands_over_its_columns() {
        let columns = Columns::fit(98, true);
        let heading = columns.heading(Sort { key: SortKey::Created, descending: true }, "");
        assert!(heading.contains("Created") && heading.contains("Expires"), "{heading}");
        assert_eq!(heading.len(), 97);
    }
}
