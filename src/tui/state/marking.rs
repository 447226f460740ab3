//! Marks rows of the list: one, all visible ones, or a range that follows the cursor.

use super::listing::{Listing, MarkedRange};
use super::rows::Slot;
use crate::engine::message::Target;

impl Listing {
    /// Toggles the mark of the row under the cursor and moves to the next row.
    pub fn toggle_mark(&mut self) {
        if let Some(slot) = self.visible().get(self.cursor).copied() {
            self.toggle(slot);
            self.move_to(self.cursor + 1);
        }
    }

    /// Marks a row if it is known.
    pub fn mark(&mut self, target: &Target) {
        if let Some(slot) = self.rows.find(target)
            && let Some(row) = self.rows.get(slot)
        {
            self.marks.insert(slot, row);
        }
    }

    /// Marks every visible row.
    pub fn mark_all(&mut self) {
        for (slot, row) in self
            .rows
            .among(self.matching.as_ref().unwrap_or(&self.order))
        {
            self.marks.insert(slot, row);
        }
    }

    /// Inverts the marks of the visible rows.
    pub fn invert_marks(&mut self) {
        for (slot, row) in self
            .rows
            .among(self.matching.as_ref().unwrap_or(&self.order))
        {
            self.marks.toggle(slot, row);
        }
    }

    /// Starts a range at the cursor, or ends the current one; its marks stay.
    pub fn toggle_range(&mut self) {
        if self.range.take().is_none()
            && let Some(anchor) = self.visible().get(self.cursor).copied()
        {
            self.range = Some(MarkedRange {
                anchor,
                before: self.marks.clone(),
            });
            self.extend_range();
        }
    }

    pub fn clear_marks(&mut self) {
        self.marks.clear();
        self.range = None;
    }

    /// Marks the rows from the anchor of the range to the cursor, on top of those marked before the
    /// range.
    pub(super) fn extend_range(&mut self) {
        let Some(range) = &self.range else { return };
        let visible = self.matching.as_ref().unwrap_or(&self.order);
        let anchor = visible
            .iter()
            .position(|slot| *slot == range.anchor)
            .unwrap_or(self.cursor);
        let (from, to) = (anchor.min(self.cursor), anchor.max(self.cursor));
        let mut marks = range.before.clone();
        for (slot, row) in self.rows.among(visible.get(from..=to).unwrap_or_default()) {
            marks.insert(slot, row);
        }
        self.marks = marks;
    }

    fn toggle(&mut self, slot: Slot) {
        if let Some(row) = self.rows.get(slot) {
            self.marks.toggle(slot, row);
        }
    }
}
