//! The columns that fit a width. The type is dropped first, then the creation, the update and the
//! expiry, until the name has enough space; those that the list is sorted or searched by stay.
//! Independent of the rows, so that columns stay in place while the list scrolls.

use ratatui::layout::{Position, Rect};

use crate::config::{Column, Dates};
use crate::engine::message::SortKey;
use crate::tui::pane::hit_target::HitTarget;
use crate::tui::state::Pane;
use crate::tui::widget::text::{left, right, width};

/// Cursor, mark, glyph and a gap.
pub(crate) const SIGNS: usize = 4;
pub(crate) const GAP: usize = 2;
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
    pub(crate) name: usize,
    /// Width of the folder column; 0 if there is none.
    pub(crate) folder: usize,
    pub(crate) others: Vec<Column>,
    time: usize,
    /// Set if there is space for the date next to the age.
    pub(crate) has_days: bool,
    pub(crate) kind: ListKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ListKind {
    Folder,
    /// Rows from several folders, with a column for these.
    Search,
    /// Groups of files with the same content. The column `Updated` has the bytes that deleting the
    /// copies would free.
    Copies,
}

/// The columns that show the values of sort keys.
pub(crate) fn columns_of(keys: &[SortKey]) -> Vec<Column> {
    let columns = [
        Column::Access,
        Column::Size,
        Column::Type,
        Column::Updated,
        Column::Created,
        Column::Expires,
    ];
    let mut columns = columns.to_vec();
    columns.retain(|column| keys.contains(&key_of(*column)));
    columns
}

fn key_of(column: Column) -> SortKey {
    match column {
        Column::Access => SortKey::Access,
        Column::Size => SortKey::Size,
        Column::Type => SortKey::Kind,
        Column::Updated => SortKey::Updated,
        Column::Created => SortKey::Created,
        Column::Expires => SortKey::Expires,
    }
}

impl FileColumns {
    /// Chooses from the `wanted` columns, and shows those in `kept` at any width.
    pub(crate) fn fit(
        cells: usize,
        wanted: &[Column],
        kept: &[Column],
        dates: Dates,
        kind: ListKind,
    ) -> Self {
        let mut time = if dates == Dates::Absolute { DAY } else { TIME };
        let name = |shown: &[Column], time| {
            let taken: usize = shown.iter().map(|column| width_of(*column, time)).sum();
            cells.saturating_sub(SIGNS + MARGIN + taken)
        };
        let more = if kind == ListKind::Folder {
            0
        } else {
            LEAST_FOLDER
        };
        let roomy = NAME_BESIDE_TYPE + more;
        let mut wanted = wanted.to_vec();
        for column in kept {
            if !wanted.contains(column) {
                wanted.push(*column);
            }
        }
        let mut others = wanted.clone();
        let beside_kept = if kept.is_empty() { 0 } else { NAME_BESIDE_SIZE };
        // Each column is dropped if there is less space for the name. The size of a group implies
        // the bytes that it frees, and names of copies are long and similar.
        let dropped = match kind {
            ListKind::Folder => [
                (Column::Type, roomy),
                (Column::Created, LEAST_NAME),
                (Column::Updated, LEAST_NAME),
                (Column::Expires, LEAST_NAME),
                (Column::Access, beside_kept),
            ],
            ListKind::Search => [
                (Column::Type, roomy),
                (Column::Created, NAME_AND_FOLDER),
                (Column::Updated, NAME_AND_FOLDER),
                (Column::Expires, NAME_AND_FOLDER),
                (Column::Access, NAME_AND_FOLDER),
            ],
            ListKind::Copies => [
                (Column::Type, roomy),
                (Column::Created, roomy),
                (Column::Expires, roomy),
                (Column::Access, NAME_AND_FOLDER),
                (Column::Updated, NAME_AND_FOLDER),
            ],
        };
        for (column, least) in dropped
            .into_iter()
            .chain([(Column::Size, NAME_BESIDE_SIZE)])
        {
            if !kept.contains(&column) && name(&others, time) < least {
                others.retain(|shown| *shown != column);
            }
        }
        let has_days = dates == Dates::Relative && name(&wanted, DAY_AND_AGE) >= roomy;
        if has_days {
            time = DAY_AND_AGE;
        }
        let name = name(&others, time).min(WIDEST_NAME + more);
        let folder = if kind == ListKind::Folder {
            0
        } else {
            name / 2
        };
        Self {
            name: name - folder,
            folder,
            others,
            time,
            has_days,
            kind,
        }
    }

    /// Widens the names so that the last column ends at the right edge.
    pub(crate) fn filling(self, cells: usize) -> Self {
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

    pub(crate) fn cell(&self, column: Column, text: &str) -> String {
        match column {
            Column::Access => format!("{:GAP$}{}", "", left(text, ACCESS)),
            Column::Size => format!(" {}", right(text, SIZE)),
            Column::Type => format!("{:GAP$}{}", "", left(text, KIND)),
            Column::Updated | Column::Created | Column::Expires => {
                format!("{:GAP$}{}", "", right(text, self.time))
            }
        }
    }

    /// The heading line. The note follows the heading of the names.
    pub(crate) fn heading(&self, note: &str) -> String {
        self.headings(note)
            .into_iter()
            .map(|(text, _)| text)
            .collect()
    }

    /// The heading at a cell; `None` outside of the headings.
    pub(crate) fn hit(&self, of: Pane, heading: Rect, at: Position) -> Option<HitTarget> {
        let key = heading
            .contains(at)
            .then(|| self.key_at(usize::from(at.x - heading.x)))?;
        Some(key.map_or(HitTarget::Beside(of), |key| HitTarget::Heading { of, key }))
    }

    /// The sort key of the column at a cell, if it can be sorted.
    pub(crate) fn key_at(&self, cell: usize) -> Option<SortKey> {
        let mut end = 0;
        self.headings("").into_iter().find_map(|(text, key)| {
            end += width(&text);
            (cell < end).then_some(key)
        })?
    }

    fn headings(&self, note: &str) -> Vec<(String, Option<SortKey>)> {
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
            let word = match column {
                Column::Access => "Access",
                Column::Size => "Size",
                Column::Type => "Type",
                Column::Updated if self.kind == ListKind::Copies => {
                    return (self.cell(*column, "Frees"), None);
                }
                Column::Updated => "Updated",
                Column::Created => "Created",
                Column::Expires => "Expires",
            };
            (self.cell(*column, word), Some(key_of(*column)))
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
    use std::collections::BTreeMap;

    use rstest::rstest;

    use super::*;

    fn usual(cells: usize, has_folder: bool) -> FileColumns {
        FileColumns::fit(
            cells,
            &Column::USUAL,
            &[],
            Dates::Relative,
            if has_folder {
                ListKind::Search
            } else {
                ListKind::Folder
            },
        )
    }

    #[test]
    fn columns_stand_in_the_order_that_was_asked_for_and_days_take_their_room() {
        let wanted = [Column::Created, Column::Size, Column::Updated];
        let fit = |cells, dates| FileColumns::fit(cells, &wanted, &[], dates, ListKind::Folder);
        let heading = fit(70, Dates::Relative).heading("");
        assert!(
            heading.ends_with("  Created      Size  Updated"),
            "{heading}"
        );
        let heading = fit(98, Dates::Absolute).heading("");
        assert!(
            heading.ends_with("     Created      Size     Updated"),
            "{heading}"
        );
        assert_eq!(fit(48, Dates::Absolute).others, [Column::Size], "{heading}");
        assert_eq!(
            FileColumns::fit(30, &[], &[], Dates::Relative, ListKind::Folder).name,
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
        let heading = columns.heading("");
        assert!(
            heading.contains("Folder") && heading.contains("Size") && heading.len() < cells,
            "{heading}"
        );
    }

    #[test]
    fn the_heading_stands_over_its_columns() {
        let heading = usual(98, false).heading("");
        assert!(
            heading.contains("Updated") && heading.contains("Expires"),
            "{heading}"
        );
        assert_eq!(heading.len(), 97);
    }

    #[rstest]
    #[case::beside_the_local_list(38)]
    #[case::between_panes(58)]
    #[case::full_width(78)]
    #[case::wide(98)]
    #[case::widest(198)]
    fn a_column_that_the_list_is_about_stays_and_names_keep_their_room(
        #[case] cells: usize,
        #[values(ListKind::Folder, ListKind::Search)] kind: ListKind,
        #[values("access", "size", "type", "updated", "created", "expires")] name: &str,
        #[values(Dates::Relative, Dates::Absolute)] dates: Dates,
    ) {
        let column: Column = toml::from_str(&format!("column = \"{name}\""))
            .map(|table: BTreeMap<String, Column>| table["column"])
            .unwrap();
        let columns = FileColumns::fit(cells, &Column::USUAL, &[column], dates, kind);
        assert!(columns.others.contains(&column), "{columns:?}");
        let name = columns.name + columns.folder;
        assert!(name >= NAME_BESIDE_SIZE, "{columns:?}");
        assert!(columns.heading("").len() <= cells, "{columns:?}");
    }
}
