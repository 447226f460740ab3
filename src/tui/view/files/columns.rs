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
/// With less, names and folders side by side are both hard to read.
const NAME_BESIDE_FOLDER: usize = 44;
/// Air at the right.
const MARGIN: usize = 1;

/// The columns of one width, in cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Columns {
    pub(super) name: usize,
    /// Cells of the folder's column; none where there is no such column.
    pub(super) folder: usize,
    pub(super) kind: bool,
    pub(super) time: bool,
    pub(super) expires: bool,
    pub(super) figures: Figures,
}

/// What stands in the column of the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Figures {
    Times,
    /// Bytes that a group of copies would free.
    Frees,
}

impl Columns {
    /// `wants_expiry`: whether a row on the screen has one; else its column is the first to go. `wants_folder`: whether
    /// rows are of several folders.
    pub(super) fn fit(cells: usize, wants_expiry: bool, wants_folder: bool) -> Self {
        let fixed = SIGNS + 1 + ACCESS + 1 + SIZE + MARGIN;
        let name = |columns: [bool; 3]| {
            let widths = [2 + KIND, 1 + TIME, 1 + TIME];
            let taken: usize = columns.iter().zip(widths).map(|(shown, width)| usize::from(*shown) * width).sum();
            cells.saturating_sub(fixed + taken)
        };
        // Type, time, expiry.
        let (all, two) = ([true; 3], [false, true, true]);
        let one = if wants_expiry { [false, false, true] } else { [false, true, false] };
        let has_folder = wants_folder && name([false; 3]) >= NAME_BESIDE_FOLDER;
        let more = if has_folder { NAME_BESIDE_FOLDER - LEAST_NAME } else { 0 };
        let shown = match () {
            () if name(all) >= NAME_BESIDE_TYPE + more => all,
            () if name(two) >= LEAST_NAME + more => two,
            () if name(one) >= LEAST_NAME + more => one,
            () => [false; 3],
        };
        let [kind, time, expires] = shown;
        let folder = if has_folder { name(shown) * 2 / 5 } else { 0 };
        Self { name: name(shown) - folder, folder, kind, time, expires, figures: Figures::Times }
    }

    /// For rows of the same content side by side.
    pub(super) fn of_groups(self, has_groups: bool) -> Self {
        Self { figures: if has_groups { Figures::Frees } else { Figures::Times }, ..self }
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
        let mut cells =
            vec![(format!("{:SIGNS$}{}", "", left(&format!("Name{note}"), self.name)), Some(SortKey::Name))];
        if self.folder > 0 {
            cells.push((format!(" {}", left("Folder", self.folder - 1)), None));
        }
        cells.extend([
            (format!(" {}", left("Access", ACCESS)), None),
            (format!(" {}", right("Size", SIZE)), Some(SortKey::Size)),
        ]);
        if self.kind {
            cells.push((format!("  {}", left("Type", KIND)), Some(SortKey::Kind)));
        }
        if self.time {
            cells.push(match self.figures {
                Figures::Times => (format!(" {}", right(time, TIME)), Some(time_key)),
                Figures::Frees => (format!(" {}", right("Frees", TIME)), None),
            });
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
        let columns = Columns::fit(cells, wants_expiry, false);
        assert_eq!([columns.kind, columns.time, columns.expires], expected);
        assert!(columns.name >= 24 || expected == [false; 3]);
    }

    #[rstest]
    #[case::wide(98, 27, 18)]
    #[case::full_width(78, 27, 17)]
    #[case::between_panes(58, 24, 0)]
    fn rows_of_a_search_tell_their_folder_where_there_is_room(
        #[case] cells: usize,
        #[case] name: usize,
        #[case] folder: usize,
    ) {
        let columns = Columns::fit(cells, false, true);
        assert!(columns.name >= name && columns.folder >= folder, "{columns:?}");
        let heading = columns.heading(Sort::default(), "");
        assert_eq!(heading.contains("Folder"), folder > 0, "{heading}");
        assert!(heading.len() < cells, "{heading}");
    }

    #[test]
    fn the_heading_stands_over_its_columns() {
        let columns = Columns::fit(98, true, false);
        let heading = columns.heading(Sort { key: SortKey::Created, descending: true }, "");
        assert!(heading.contains("Created") && heading.contains("Expires"), "{heading}");
        assert_eq!(heading.len(), 97);
    }
}
