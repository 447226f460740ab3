//! Which columns fit: Type goes first, then the time, then the expiry, until the name has room.

use crate::engine::message::{Sort, SortKey};
use crate::tui::widget::text::{left, right};

/// Cursor and mark.
const SIGNS: usize = 3;
/// Gap and word.
const ACCESS: usize = 2 + 6;
pub(super) const SIZE: usize = 5;
pub(super) const KIND: usize = 5;
/// A name with less is hard to tell from others.
const LEAST_NAME: usize = 24;
/// From this width on, times have their long headings.
const LONG_FROM: usize = 76;

/// The columns of one width, in cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Columns {
    pub(super) name: usize,
    pub(super) kind: bool,
    pub(super) time: bool,
    pub(super) expires: bool,
    pub(super) time_width: usize,
}

impl Columns {
    pub(super) fn fit(cells: usize) -> Self {
        let time_width = if cells >= LONG_FROM { 7 } else { 5 };
        let fixed = SIGNS + ACCESS + 2 + SIZE + 1;
        let widths = [2 + KIND, 2 + time_width, 2 + time_width];
        let shown = [[true; 3], [false, true, true], [false, false, true]]
            .into_iter()
            .find(|shown| {
                let optional: usize = shown.iter().zip(widths).map(|(shown, width)| usize::from(*shown) * width).sum();
                cells >= fixed + optional + LEAST_NAME
            })
            .unwrap_or_default();
        let optional: usize = shown.iter().zip(widths).map(|(shown, width)| usize::from(*shown) * width).sum();
        let [kind, time, expires] = shown;
        Self { name: cells.saturating_sub(fixed + optional), kind, time, expires, time_width }
    }

    /// The line of headings; a sign shows what the list is sorted by, and which way. The note stands where names do.
    pub(super) fn heading(&self, sort: Sort, note: &str) -> String {
        let sign = if sort.descending { "v" } else { "^" };
        let label = |text: &str, keys: &[SortKey]| {
            if keys.contains(&sort.key) { format!("{text}{sign}") } else { text.to_owned() }
        };
        let is_long = self.time_width > 5;
        let time = match (sort.key, is_long) {
            (SortKey::Created, true) => "Created",
            (SortKey::Created, false) => "Crea",
            (_, true) => "Updated",
            (_, false) => "Upd",
        };
        let mut cells = vec![
            format!("   {}", left(&(label("Name", &[SortKey::Name]) + note), self.name)),
            "  Access".to_owned(),
            format!("  {}", right(&label("Size", &[SortKey::Size]), SIZE)),
        ];
        if self.kind {
            cells.push(format!("  {}", left(&label("Type", &[SortKey::Kind]), KIND)));
        }
        if self.time {
            // The sign takes a cell of the gap, so that the heading stays above its column.
            let label = label(time, &[SortKey::Created, SortKey::Updated]);
            cells.push(format!(" {}", right(&label, self.time_width + 1)));
        }
        if self.expires {
            cells.push(format!("  {}", right(if is_long { "Expires" } else { "Exp" }, self.time_width)));
        }
        cells.concat()
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::full_width(80, true, true, true)]
    #[case::between_panes(58, false, true, true)]
    #[case::narrow(50, false, false, true)]
    #[case::narrowest(38, false, false, false)]
    fn columns_are_dropped_in_order(
        #[case] cells: usize,
        #[case] kind: bool,
        #[case] time: bool,
        #[case] expires: bool,
    ) {
        let columns = Columns::fit(cells);
        assert_eq!((columns.kind, columns.time, columns.expires), (kind, time, expires));
    }

    #[test]
    fn the_heading_shows_what_the_list_is_sorted_by() {
        let columns = Columns::fit(80);
        let heading = columns.heading(Sort { key: SortKey::Updated, descending: true }, "");
        assert!(heading.contains("Updatedv") && heading.contains("Expires"), "{heading}");
        assert_eq!(heading.len(), 79);
        let created = Columns::fit(58).heading(Sort { key: SortKey::Created, descending: false }, "");
        assert!(created.contains("Crea^"), "{created}");
    }
}
