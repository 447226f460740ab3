//! Which columns fit: Type goes first, then the time, then the expiry, at last the size, until the name has room.

use crate::config::{Column, Dates};
use crate::engine::message::{Sort, SortKey};
use crate::tui::widget::text::{left, right, width};

/// Cursor, mark, glyph and a gap.
pub(super) const SIGNS: usize = 4;
const ACCESS: usize = 9;
const SIZE: usize = 10;
const KIND: usize = 5;
const TIME: usize = 7;
/// Of a time that is told as a day.
const DAY: usize = 10;
/// A name with less is hard to tell from others.
const LEAST_NAME: usize = 24;
/// Beside a size there is this much of a name, or no size: the details tell it, too.
const NAME_BESIDE_SIZE: usize = 18;
/// A type is worth its place only where names have more than enough.
const NAME_BESIDE_TYPE: usize = 44;
/// With less, names and folders side by side are both hard to read.
const NAME_BESIDE_FOLDER: usize = 44;
/// Air at the right.
const MARGIN: usize = 1;

/// The columns of one width, in cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileColumns {
    pub(super) name: usize,
    /// Cells of the folder's column; none where there is no such column.
    pub(super) folder: usize,
    /// The others, in their order.
    pub(super) others: Vec<Column>,
    /// Cells of a time.
    time: usize,
    pub(super) figures: Figures,
}

/// What is in the column of the last change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Figures {
    Times,
    /// Bytes that a group of copies would free.
    Frees,
}

impl FileColumns {
    /// `wants_expiry`: whether a row on the screen has one; else its column is the first to go. `wants_folder`: whether
    /// rows are of several folders.
    pub(super) fn fit(cells: usize, wanted: &[Column], dates: Dates, wants_expiry: bool, wants_folder: bool) -> Self {
        let time = if dates == Dates::Absolute { DAY } else { TIME };
        let name = |shown: &[Column]| {
            let taken: usize = shown.iter().map(|column| width_of(*column, time)).sum();
            cells.saturating_sub(SIGNS + MARGIN + taken)
        };
        let (first, last) =
            if wants_expiry { (Column::Updated, Column::Expires) } else { (Column::Expires, Column::Updated) };
        let leave = [Column::Type, Column::Created, first, last];
        let always: Vec<Column> = wanted.iter().copied().filter(|column| !leave.contains(column)).collect();
        let has_folder = wants_folder && name(&always) >= NAME_BESIDE_FOLDER;
        let more = if has_folder { NAME_BESIDE_FOLDER - LEAST_NAME } else { 0 };
        let mut others = wanted.to_vec();
        for column in leave {
            let need = if others.contains(&Column::Type) { NAME_BESIDE_TYPE } else { LEAST_NAME };
            if name(&others) < need + more {
                others.retain(|shown| *shown != column);
            }
        }
        if name(&others) < NAME_BESIDE_SIZE {
            others.retain(|shown| *shown != Column::Size);
        }
        let name = name(&others);
        let folder = if has_folder { name * 2 / 5 } else { 0 };
        Self { name: name - folder, folder, others, time, figures: Figures::Times }
    }

    /// For rows of the same content side by side.
    pub(super) fn of_groups(self, has_groups: bool) -> Self {
        Self { figures: if has_groups { Figures::Frees } else { Figures::Times }, ..self }
    }

    /// What is in a column, at its width.
    pub(super) fn cell(&self, column: Column, text: &str) -> String {
        match column {
            Column::Access => format!(" {}", left(text, ACCESS)),
            Column::Size => format!(" {}", right(text, SIZE)),
            Column::Type => format!("  {}", left(text, KIND)),
            Column::Updated | Column::Created | Column::Expires => format!(" {}", right(text, self.time)),
        }
    }

    /// Which time a column tells: that of the order, where no other column does.
    pub(super) fn of_time(&self, column: Column, sort: Sort) -> Column {
        let is_free = self.figures == Figures::Times && !self.others.contains(&Column::Created);
        let is_ordered = is_free && sort.key == SortKey::Created;
        if column == Column::Updated && is_ordered { Column::Created } else { column }
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
        let mut cells =
            vec![(format!("{:SIGNS$}{}", "", left(&format!("Name{note}"), self.name)), Some(SortKey::Name))];
        if self.folder > 0 {
            cells.push((format!(" {}", left("Folder", self.folder - 1)), None));
        }
        cells.extend(self.others.iter().map(|column| {
            let (word, key) = match self.of_time(*column, sort) {
                Column::Access => ("Access", None),
                Column::Size => ("Size", Some(SortKey::Size)),
                Column::Type => ("Type", Some(SortKey::Kind)),
                Column::Updated if self.figures == Figures::Frees => ("Frees", None),
                Column::Updated => ("Updated", Some(SortKey::Updated)),
                Column::Created => ("Created", Some(SortKey::Created)),
                Column::Expires => ("Expires", None),
            };
            (self.cell(*column, word), key)
        }));
        cells
    }
}

fn width_of(column: Column, time: usize) -> usize {
    match column {
        Column::Access => 1 + ACCESS,
        Column::Size => 1 + SIZE,
        Column::Type => 2 + KIND,
        Column::Updated | Column::Created | Column::Expires => 1 + time,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn usual(cells: usize, wants_expiry: bool, wants_folder: bool) -> FileColumns {
        FileColumns::fit(cells, &Column::USUAL, Dates::Relative, wants_expiry, wants_folder)
    }

    #[test]
    fn columns_stand_in_the_order_that_was_asked_for_and_days_take_their_room() {
        let wanted = [Column::Created, Column::Size, Column::Updated];
        let fit = |cells, dates| FileColumns::fit(cells, &wanted, dates, false, false);
        let heading = fit(98, Dates::Relative).heading(Sort::default(), "");
        assert!(heading.ends_with(" Created       Size Updated"), "{heading}");
        let heading = fit(98, Dates::Absolute).heading(Sort::default(), "");
        assert!(heading.ends_with("    Created       Size    Updated"), "{heading}");
        assert_eq!(fit(48, Dates::Absolute).others, [Column::Size], "{heading}");
        assert_eq!(FileColumns::fit(30, &[], Dates::Relative, true, false).name, 25);
    }

    #[rstest]
    #[case::between_three_panes(38, &[Column::Access], 23)]
    #[case::with_room(48, &[Column::Access, Column::Size], 22)]
    fn a_name_gets_the_place_of_the_size_before_it_cannot_be_told(
        #[case] cells: usize,
        #[case] others: &[Column],
        #[case] name: usize,
    ) {
        let columns = usual(cells, true, false);
        assert_eq!((columns.others.as_slice(), columns.name), (others, name));
    }

    #[rstest]
    #[case::wide(98, true, [true, true, true])]
    #[case::full_width(78, true, [false, true, true])]
    #[case::between_panes(58, true, [false, false, true])]
    #[case::between_panes_without_expiry(58, false, [false, true, false])]
    #[case::narrowest(48, true, [false, false, false])]
    fn columns_are_dropped_in_order(#[case] cells: usize, #[case] wants_expiry: bool, #[case] expected: [bool; 3]) {
        let columns = usual(cells, wants_expiry, false);
        let shown = [Column::Type, Column::Updated, Column::Expires].map(|column| columns.others.contains(&column));
        assert_eq!(shown, expected);
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
        let columns = usual(cells, false, true);
        assert!(columns.name >= name && columns.folder >= folder, "{columns:?}");
        let heading = columns.heading(Sort::default(), "");
        assert_eq!(heading.contains("Folder"), folder > 0, "{heading}");
        assert!(heading.len() < cells, "{heading}");
    }

    #[test]
    fn the_heading_stands_over_its_columns() {
        let columns = usual(98, true, false);
        let heading = columns.heading(Sort { key: SortKey::Created, descending: true }, "");
        assert!(heading.contains("Created") && heading.contains("Expires"), "{heading}");
        assert_eq!(heading.len(), 97);
    }
}
