//! A list on the screen, whatever its rows are: their order, those that the filter shows, the
//! cursor, the marks, and the range that is being marked.

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;

use super::filter::{ListFilter, Search};
use super::rows::Slot;
use crate::engine::message::Sort;
use crate::tui::keymap::Action;
use crate::tui::widget::scroll::ListCursor;

/// A list of rows, each identified by a key.
#[derive(Debug, Clone, Default)]
pub struct ListState<K, M = BTreeSet<K>> {
    /// All rows, top to bottom.
    pub(super) order: Vec<K>,
    /// The rows that match the filter; `None` while nothing is typed.
    pub(super) matching: Option<Vec<K>>,
    pub(super) cursor: ListCursor,
    marks: M,
    range: Option<MarkingRange<K, M>>,
    pub sort: Sort,
    pub filter: Option<ListFilter>,
}

/// A range of marks from the row `anchor` to the cursor, on top of the earlier marks `before`.
#[derive(Debug, Clone)]
struct MarkingRange<K, M> {
    anchor: K,
    before: M,
}

/// A set of marked rows.
pub trait MarkSet<K>: Clone + Default {
    fn holds(&self, row: &K) -> bool;

    fn set(&mut self, row: &K, is_marked: bool);

    fn keys(&self) -> impl Iterator<Item = K>;
}

impl<K: Ord + Clone> MarkSet<K> for BTreeSet<K> {
    fn holds(&self, row: &K) -> bool {
        self.contains(row)
    }

    fn set(&mut self, row: &K, is_marked: bool) {
        if is_marked {
            self.insert(row.clone());
        } else {
            self.remove(row);
        }
    }

    fn keys(&self) -> impl Iterator<Item = K> {
        self.iter().cloned()
    }
}

impl MarkSet<Slot> for FixedBitSet {
    fn holds(&self, slot: &Slot) -> bool {
        self.contains(*slot as usize)
    }

    fn set(&mut self, slot: &Slot, is_marked: bool) {
        self.grow(*slot as usize + 1);
        self.set(*slot as usize, is_marked);
    }

    fn keys(&self) -> impl Iterator<Item = Slot> {
        self.ones().filter_map(|slot| Slot::try_from(slot).ok())
    }
}

impl<K: PartialEq + Clone, M: MarkSet<K>> ListState<K, M> {
    /// The shown rows, top to bottom.
    pub fn rows(&self) -> &[K] {
        self.matching.as_deref().unwrap_or(&self.order)
    }

    pub fn cursor(&self) -> ListCursor {
        self.cursor.among(self.rows().len())
    }

    /// The row under the cursor.
    pub fn current(&self) -> Option<&K> {
        self.rows().get(self.cursor.at())
    }

    /// Applies the filter to the rows; `matching` finds those that match. The caller puts the
    /// cursor back.
    pub(super) fn refilter(&mut self, matching: impl FnOnce(&[K], Search) -> Vec<K>) {
        let filter = self.filter.as_ref();
        let filter = filter.filter(|filter| !filter.input.is_empty());
        self.matching = filter.map(|filter| matching(&self.order, filter.search()));
    }

    /// Puts the cursor on a row; it stays where it is if that is not shown.
    pub(super) fn find(&mut self, row: Option<&K>) {
        let at = row.and_then(|row| self.rows().iter().position(|other| other == row));
        let cursor = self.cursor();
        self.cursor = cursor.on(at.unwrap_or(cursor.at()), cursor.count());
    }

    /// Moves the cursor, and the end of the range of marks with it.
    pub fn move_cursor(&mut self, change: impl FnOnce(&mut ListCursor)) {
        self.cursor = self.cursor();
        change(&mut self.cursor);
        self.extend_range();
    }

    /// Moves the cursor to a row, clamped.
    pub fn move_to(&mut self, index: usize) {
        self.move_cursor(|cursor| cursor.go_to(index));
    }

    pub fn marks(&self) -> &M {
        &self.marks
    }

    pub fn is_marked(&self, row: &K) -> bool {
        self.marks.holds(row)
    }

    pub fn mark(&mut self, row: &K) {
        self.marks.set(row, true);
    }

    /// Removes the mark of a row that is gone.
    pub fn unmark(&mut self, row: &K) {
        self.marks.set(row, false);
        if let Some(range) = &mut self.range {
            range.before.set(row, false);
        }
    }

    pub fn clear_marks(&mut self) {
        self.marks = M::default();
        self.range = None;
    }

    /// Removes the marks of rows that are gone.
    pub fn retain_marks(&mut self, is_there: impl Fn(&K) -> bool) {
        let gone: Vec<K> = self.marks.keys().filter(|row| !is_there(row)).collect();
        for row in &gone {
            self.unmark(row);
        }
    }

    /// The rows that an action works on: the marked ones, or the one under the cursor.
    pub fn chosen(&self) -> Vec<K> {
        let marked: Vec<K> = self.marks.keys().collect();
        if marked.is_empty() {
            self.current().cloned().into_iter().collect()
        } else {
            marked
        }
    }

    /// Changes the marks as an action's key does.
    pub fn mark_by(&mut self, action: Action) {
        match action {
            Action::MarkAll => self.mark_all(),
            Action::MarkInvert => self.invert_marks(),
            Action::MarkRange => self.toggle_range(),
            _ => self.toggle_mark(),
        }
    }

    /// Toggles the mark of the row under the cursor and moves to the next row.
    pub fn toggle_mark(&mut self) {
        if let Some(row) = self.current().cloned() {
            self.marks.set(&row, !self.is_marked(&row));
            self.move_to(self.cursor.at() + 1);
        }
    }

    /// Marks the shown rows.
    pub fn mark_all(&mut self) {
        self.change_marks(|_| true);
    }

    /// Inverts the marks of the shown rows.
    pub fn invert_marks(&mut self) {
        self.change_marks(|is_marked| !is_marked);
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

    fn change_marks(&mut self, change: impl Fn(bool) -> bool) {
        let rows = self.matching.as_ref().unwrap_or(&self.order);
        for row in rows {
            self.marks.set(row, change(self.marks.holds(row)));
        }
    }

    fn extend_range(&mut self) {
        let Some(MarkingRange { anchor, before }) = &self.range else {
            return;
        };
        let (rows, at) = (self.rows(), self.cursor.at());
        let Some(from) = rows.iter().position(|row| row == anchor) else {
            return;
        };
        let mut marks = before.clone();
        for row in rows.get(from.min(at)..=from.max(at)).unwrap_or_default() {
            marks.set(row, true);
        }
        self.marks = marks;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        // For any keys: the cursor is on a row, and a range is what lies between.
        #[test]
        fn the_cursor_stays_on_a_row_and_a_range_is_what_lies_between(
            len in 0_usize..12,
            moves in prop::collection::vec((0_usize..14, any::<bool>()), 0..12),
        ) {
            let mut list = ListState::<usize> {
                order: (0..len).collect(),
                ..ListState::default()
            };
            let mut anchor = None;
            for (to, is_range) in moves {
                if is_range {
                    list.clear_marks();
                    list.toggle_range();
                    anchor = list.current().copied();
                }
                list.move_to(to);
                prop_assert!(list.cursor().at() < len.max(1));
                if let Some(anchor) = anchor {
                    let between = anchor.min(list.cursor().at())..=anchor.max(list.cursor().at());
                    let expected: BTreeSet<usize> = between.collect();
                    prop_assert_eq!(list.marks(), &expected);
                }
            }
        }
    }
}
