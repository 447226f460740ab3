//! Marks rows of the list, and keeps the totals of the marked rows.

use fixedbitset::FixedBitSet;

use super::list_state::ListState;
use super::listing::Listing;
use super::mark_totals::MarkTotals;
use super::rows::Slot;
use crate::engine::message::Target;

impl Listing {
    /// Applies a change of the marks, and counts the rows that it marked or unmarked.
    pub(super) fn marking(&mut self, change: impl FnOnce(&mut ListState<Slot, FixedBitSet>)) {
        let before = self.list.marks().clone();
        change(&mut self.list);
        for slot in (&before ^ self.list.marks()).ones() {
            if let Ok(slot) = Slot::try_from(slot)
                && let Some(row) = self.rows.get(slot)
            {
                self.marks.count(row, self.list.is_marked(&slot));
            }
        }
    }

    /// Toggles the mark of the row under the cursor and moves to the next row.
    pub fn toggle_mark(&mut self) {
        if self.list.current().is_some() {
            self.move_cursor(|_| ());
            self.marking(ListState::toggle_mark);
        }
    }

    /// Marks a row if it is known.
    pub fn mark(&mut self, target: &Target) {
        if let Some(slot) = self.rows.find(target) {
            self.marking(|list| list.mark(&slot));
        }
    }

    /// Marks every visible row.
    pub fn mark_all(&mut self) {
        self.marking(ListState::mark_all);
    }

    /// Inverts the marks of the visible rows.
    pub fn invert_marks(&mut self) {
        self.marking(ListState::invert_marks);
    }

    /// Starts a range at the cursor, or ends the current one; its marks stay.
    pub fn toggle_range(&mut self) {
        self.marking(ListState::toggle_range);
    }

    pub fn clear_marks(&mut self) {
        self.list.clear_marks();
        self.marks = MarkTotals::default();
    }
}
