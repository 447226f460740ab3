//! The columns that fit a width. The type is dropped first, then the creation, the update and the
//! expiry, until the name has enough space. Independent of the rows, so that columns stay in place
//! while the list scrolls.

use crate::config::{Column, Dates};
use crate::engine::message::{Sort, SortKey};
use crate::tui::widget::text::{left, right, width};

/// Cursor, mark, glyph and a gap.
pub(super) const SIGNS: usize = 4;
pub(super) const GAP: usize = 2;
const ACCESS: usize = 9;
/// One cell wider than sizes, for `412 items`: folders have no access level to collide with.
const SIZE: usize = 9;
const KIND: usize = 5;
const TIME: usize = 7;
/// For a time shown as a date.
const DAY: usize = 10;
/// For a time shown as a date and an age.
const DAY_AND_AGE: usize = 15;
/// Shorter names are hard to tell apart.
const LEAST_NAME: usize = 23;
/// If there is less space for the name, the size is dropped, because the details show it too.
const NAME_BESIDE_SIZE: usize = 18;
/// The type is only shown if names have more than enough space.
const NAME_BESIDE_TYPE: usize = 44;
/// In search results: if a name and its folder have less, the times and the access level are
/// dropped.
const NAME_AND_FOLDER: usize = 32;
/// In a wider column, a name would be too far from its facts.
const WIDEST_NAME: usize = 80;
const LEAST_FOLDER: usize = 12;
const MARGIN: usize = 1;

/// The column widths for a list, in cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileColumns {
    pub(super) name: usize,
    /// Width of the folder column; 0 if there is none.
    pub(super) folder: usize,
    pub(super) others: Vec<Column>,
    time: usize,
    /// Set if there is space for the date next to the age.
    pub(super) has_days: bool,
    pub(super) figures: Figures,
}

/// The content of the `Updated` column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Figures {
    Times,
    /// The bytes that deleting the copies of a group would free.
    Frees,
}

impl FileColumns {
    /// `has_folder` is set if the rows are from several folders. For groups of copies, the expiry
    /// is dropped first, because their names are long and similar.
    pub(super) fn fit(
        cells: usize,
        wanted: &[Column],
        dates: Dates,
        has_folder: bool,
        figures: Figures,
    ) -> Self {
        let mut time = if dates == Dates::Absolute { DAY } else { TIME };
        let name = |shown: &[Column], time| {
            let taken: usize = shown.iter().map(|column| width_of(*column, time)).sum();
            cells.saturating_sub(SIGNS + MARGIN + taken)
        };
        let least = if has_folder {
            NAME_AND_FOLDER
        } else {
            LEAST_NAME
        };
        let more = if has_folder { LEAST_FOLDER } else { 0 };
        let mut others = wanted.to_vec();
        let times = match figures {
            Figures::Times => [Column::Updated, Column::Expires].as_slice(),
            Figures::Frees => &[Column::Expires],
        };
        for column in [Column::Type, Column::Created].iter().chain(times).copied() {
            let is_roomy = others.contains(&Column::Type) || figures == Figures::Frees;
            let need = if is_roomy {
                NAME_BESIDE_TYPE + more
            } else {
                least
            };
            if name(&others, time) < need {
                others.retain(|shown| *shown != column);
            }
        }
        if has_folder && name(&others, time) < NAME_AND_FOLDER {
            others.retain(|shown| *shown != Column::Access);
        }
        // The size of a group implies this figure.
        if figures == Figures::Frees && name(&others, time) < NAME_AND_FOLDER {
            others.retain(|shown| *shown != Column::Updated);
        }
        if name(&others, time) < NAME_BESIDE_SIZE {
            others.retain(|shown| *shown != Column::Size);
        }
        let has_days =
            dates == Dates::Relative && name(wanted, DAY_AND_AGE) >= NAME_BESIDE_TYPE + more;
        if has_days {
            time = DAY_AND_AGE;
        }
        let name = name(&others, time).min(WIDEST_NAME + more);
        let folder = if has_folder { name / 2 } else { 0 };
        Self {
            name: name - folder,
            folder,
            others,
            time,
            has_days,
            figures,
        }
    }

    /// Widens the names so that the last column ends at the right edge.
    pub(super) fn filling(self, cells: usize) -> Self {
        let others: usize = self
            .others
            .iter()
            .map(|column| width_of(*column, self.time))
            .sum();
        Self {
            name: cells
                .saturating_sub(SIGNS + MARGIN + others + self.folder)
                .max(self.name),
            ..self
        }
    }

    pub(super) fn cell(&self, column: Column, text: &str) -> String {
        match column {
            Column::Access => format!("{:GAP$}{}", "", left(text, ACCESS)),
            Column::Size => format!(" {}", right(text, SIZE)),
            Column::Type => format!("{:GAP$}{}", "", left(text, KIND)),
            Column::Updated | Column::Created | Column::Expires => {
                format!("{:GAP$}{}", "", right(text, self.time))
            }
        }
    }

    /// The time that a column shows: that of the sort order, unless another column shows it.
    pub(super) fn of_time(&self, column: Column, sort: Sort) -> Column {
        let ordered = match sort.key {
            SortKey::Created => Column::Created,
            SortKey::Updated => Column::Updated,
            _ => return column,
        };
        let is_free = self.figures == Figures::Times && !self.others.contains(&ordered);
        let times = [Column::Updated, Column::Expires];
        let replaced = times.into_iter().find(|time| self.others.contains(time));
        if is_free && replaced == Some(column) {
            ordered
        } else {
            column
        }
    }

    /// The heading line. The note follows the heading of the names.
    pub(super) fn heading(&self, sort: Sort, note: &str) -> String {
        self.headings(sort, note)
            .into_iter()
            .map(|(text, _)| text)
            .collect()
    }

    /// The sort key of the column at a cell, if it can be sorted.
    pub(crate) fn key_at(&self, cell: usize, sort: Sort) -> Option<SortKey> {
        let mut end = 0;
        self.headings(sort, "")
            .into_iter()
            .find_map(|(text, key)| {
                end += width(&text);
                (cell < end).then_some(key)
            })?
    }

    fn headings(&self, sort: Sort, note: &str) -> Vec<(String, Option<SortKey>)> {
        let mut cells = vec![(
            format!("{:SIGNS$}{}", "", left(&format!("Name{note}"), self.name)),
            Some(SortKey::Name),
        )];
        if self.folder > 0 {
            cells.push((
                format!("{:GAP$}{}", "", left("Folder", self.folder - GAP)),
                None,
            ));
        }
        cells.extend(self.others.iter().map(|column| {
            let (word, key) = match self.of_time(*column, sort) {
                Column::Access => ("Access", Some(SortKey::Access)),
                Column::Size => ("Size", Some(SortKey::Size)),
                Column::Type => ("Type", Some(SortKey::Kind)),
                Column::Updated if self.figures == Figures::Frees => ("Frees", None),
                Column::Updated => ("Updated", Some(SortKey::Updated)),
                Column::Created => ("Created", Some(SortKey::Created)),
                Column::Expires => ("Expires", Some(SortKey::Expires)),
            };
            (self.cell(*column, word), key)
        }));
        cells
    }
}

fn width_of(column: Column, time: usize) -> usize {
    let cells = match column {
        Column::Access => ACCESS,
        Column::Size => return 1 + SIZE,
        Column::Type => KIND,
        Column::Updated | Column::Created | Column::Expires => time,
    };
    GAP + cells
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn usual(cells: usize, has_folder: bool) -> FileColumns {
        FileColumns::fit(
            cells,
            &Column::USUAL,
            Dates::Relative,
            has_folder,
            Figures::Times,
        )
    }

    #[test]
    fn columns_stand_in_the_order_that_was_asked_for_and_days_take_their_room() {
        let wanted = [Column::Created, Column::Size, Column::Updated];
        let fit = |cells, dates| FileColumns::fit(cells, &wanted, dates, false, Figures::Times);
        let heading = fit(70, Dates::Relative).heading(Sort::default(), "");
        assert!(
            heading.ends_with("  Created      Size  Updated"),
            "{heading}"
        );
        let heading = fit(98, Dates::Absolute).heading(Sort::default(), "");
        assert!(
            heading.ends_with("     Created      Size     Updated"),
            "{heading}"
        );
        assert_eq!(fit(48, Dates::Absolute).others, [Column::Size], "{heading}");
        assert_eq!(
            FileColumns::fit(30, &[], Dates::Relative, false, Figures::Times).name,
            25
        );
    }

    #[rstest]
    #[case::dragged_small(38, &[Column::Access], 22)]
    #[case::narrowest(48, &[Column::Access, Column::Size], 22)]
    #[case::between_panes(50, &[Column::Access, Column::Size], 24)]
    #[case::between_wider_panes(58, &[Column::Access, Column::Size, Column::Expires], 23)]
    #[case::full_width(78, &[Column::Access, Column::Size, Column::Updated, Column::Expires], 34)]
    #[case::wide(98, &Column::USUAL, 47)]
    #[case::with_days(118, &Column::USUAL, 51)]
    #[case::widest(198, &Column::USUAL, 80)]
    fn a_width_has_its_columns_and_times_go_before_size_and_access(
        #[case] cells: usize,
        #[case] others: &[Column],
        #[case] name: usize,
    ) {
        let columns = usual(cells, false);
        assert_eq!((columns.others.as_slice(), columns.name), (others, name));
    }

    #[rstest]
    #[case::wide(98, 27, 27)]
    #[case::full_width(78, 17, 17)]
    #[case::between_panes(58, 16, 16)]
    #[case::narrow_panes(50, 18, 17)]
    fn rows_of_a_search_have_their_folder(
        #[case] cells: usize,
        #[case] name: usize,
        #[case] folder: usize,
    ) {
        let columns = usual(cells, true);
        assert_eq!(
            (columns.name, columns.folder),
            (name, folder),
            "{columns:?}"
        );
        let heading = columns.heading(Sort::default(), "");
        assert!(
            heading.contains("Folder") && heading.contains("Size") && heading.len() < cells,
            "{heading}"
        );
    }

    #[test]
    fn the_heading_stands_over_its_columns() {
        let columns = usual(98, false);
        let heading = columns.heading(
            Sort {
                key: SortKey::Created,
                descending: true,
            },
            "",
        );
        assert!(
            heading.contains("Created") && heading.contains("Expires"),
            "{heading}"
        );
        assert_eq!(heading.len(), 97);
    }
}
