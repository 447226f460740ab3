//! A list on the screen, whatever its rows are: the rows that it shows, the cursor, the marks, the
//! range that is being marked, the order and the filter.

use std::borrow::Borrow;
use std::collections::BTreeSet;

use super::filter::ListFilter;
use crate::engine::message::Sort;
use crate::tui::widget::scroll::CursorOffset;

/// A list of rows, each identified by a key.
#[derive(Debug, Clone)]
pub struct ListState<K> {
    /// The shown rows, top to bottom.
    rows: Vec<K>,
    /// An index into `rows`; 0 if there are none.
    cursor: usize,
    pub offset: CursorOffset,
    marks: BTreeSet<K>,
    range: Option<MarkingRange<K>>,
    pub sort: Sort,
    pub filter: Option<ListFilter>,
}

/// A range of marks from the row `anchor` to the cursor, on top of the earlier marks `before`.
#[derive(Debug, Clone)]
struct MarkingRange<K> {
    anchor: K,
    before: BTreeSet<K>,
}

impl<K> Default for ListState<K> {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            cursor: 0,
            offset: CursorOffset::default(),
            marks: BTreeSet::new(),
            range: None,
            sort: Sort::default(),
            filter: None,
        }
    }
}

impl<K: Ord + Clone> ListState<K> {
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub fn rows(&self) -> &[K] {
        &self.rows
    }

    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// The row under the cursor.
    pub fn current(&self) -> Option<&K> {
        self.rows.get(self.cursor)
    }

    /// Replaces the shown rows. The cursor goes to the row `here`, or stays where it is.
    pub fn show(&mut self, rows: Vec<K>, here: Option<&K>) {
        let at = here.and_then(|here| rows.iter().position(|row| row == here));
        self.rows = rows;
        self.cursor = at.unwrap_or_else(|| self.cursor.min(self.rows.len().saturating_sub(1)));
    }

    /// Moves the cursor to a row, clamped, and extends the range of marks.
    pub fn move_to(&mut self, index: usize) {
        self.cursor = index.min(self.rows.len().saturating_sub(1));
        self.extend_range();
    }

    pub fn marks(&self) -> &BTreeSet<K> {
        &self.marks
    }

    pub fn is_marked<Q>(&self, row: &Q) -> bool
    where
        K: Borrow<Q>,
        Q: Ord + ?Sized,
    {
        self.marks.contains(row)
    }

    pub fn mark(&mut self, row: K) {
        self.marks.insert(row);
    }

    pub fn clear_marks(&mut self) {
        self.marks.clear();
        self.range = None;
    }

    /// Removes the marks of rows that are gone.
    pub fn retain_marks(&mut self, is_there: impl FnMut(&K) -> bool) {
        self.marks.retain(is_there);
    }

    /// The rows that an action works on: the marked ones, or the one under the cursor.
    pub fn chosen(&self) -> Vec<&K> {
        if self.marks.is_empty() {
            self.current().into_iter().collect()
        } else {
            self.marks.iter().collect()
        }
    }

    /// Toggles the mark of the row under the cursor and moves to the next row.
    pub fn toggle_mark(&mut self) {
        if let Some(row) = self.current().cloned() {
            self.toggle(row);
            self.move_to(self.cursor + 1);
        }
    }

    pub fn mark_all(&mut self) {
        self.marks.extend(self.rows.iter().cloned());
    }

    /// Inverts the marks of the shown rows.
    pub fn invert_marks(&mut self) {
        for row in self.rows.clone() {
            self.toggle(row);
        }
    }

    /// Starts a range at the cursor, or ends the current one; its marks stay.
    pub fn toggle_range(&mut self) {
        if !self.end_range()
            && let Some(anchor) = self.current().cloned()
        {
            let before = self.marks.clone();
            self.range = Some(MarkingRange { anchor, before });
            self.extend_range();
        }
    }

    pub fn has_range(&self) -> bool {
        self.range.is_some()
    }

    /// Ends the range; returns `true` if there was one.
    pub fn end_range(&mut self) -> bool {
        self.range.take().is_some()
    }

    /// Returns `true` if the filter's field has the focus.
    pub fn is_typing(&self) -> bool {
        self.filter.as_ref().is_some_and(|filter| filter.editing)
    }

    fn toggle(&mut self, row: K) {
        if !self.marks.remove(&row) {
            self.marks.insert(row);
        }
    }

    fn extend_range(&mut self) {
        let Some(MarkingRange { anchor, before }) = &self.range else {
            return;
        };
        let Some(from) = self.rows.iter().position(|row| row == anchor) else {
            return;
        };
        let (first, last) = (from.min(self.cursor), from.max(self.cursor));
        let ranged = self.rows.get(first..=last).unwrap_or_default();
        self.marks = before.iter().chain(ranged).cloned().collect();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        // Whatever keys come: the cursor is on a row, and a range is what lies between.
        #[test]
        fn the_cursor_stays_on_a_row_and_a_range_is_what_lies_between(
            len in 0_usize..12,
            moves in prop::collection::vec((0_usize..14, any::<bool>()), 0..12),
        ) {
            let mut list = ListState::default();
            list.show((0..len).collect(), None);
            let mut anchor = None;
            for (to, is_range) in moves {
                if is_range {
                    list.clear_marks();
                    list.toggle_range();
                    anchor = list.current().copied();
                }
                list.move_to(to);
                prop_assert!(list.cursor() < len.max(1));
                if let Some(anchor) = anchor {
                    let between = anchor.min(list.cursor())..=anchor.max(list.cursor());
                    let expected: BTreeSet<usize> = between.collect();
                    prop_assert_eq!(list.marks(), &expected);
                }
            }
        }
    }
}
