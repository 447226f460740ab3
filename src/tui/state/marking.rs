//! Marks rows of the list: one, all that are visible, or a range that follows the cursor.

use super::listing::{Listing, MarkedRange};
use super::rows::Slot;
use crate::engine::message::Target;

impl Listing {
    /// Marks the row under the cursor, or takes its mark away, and continues to the next row.
    pub fn toggle_mark(&mut self) {
        if let Some(slot) = self.visible().get(self.cursor).copied() {
            self.toggle(slot);
            self.move_to(self.cursor + 1);
        }
    }

    /// Marks a row that is known.
    pub fn mark(&mut self, target: &Target) {
        if let Some(slot) = self.rows.find(target)
            && let Some(row) = self.rows.get(slot)
        {
            self.marks.insert(slot, row);
        }
    }

    /// Marks every visible row.
    pub fn mark_all(&mut self) {
        for (slot, row) in self.rows.among(self.matching.as_ref().unwrap_or(&self.order)) {
            self.marks.insert(slot, row);
        }
    }

    /// Marks the visible rows that are not marked, and no others of them.
    pub fn invert_marks(&mut self) {
        for (slot, row) in self.rows.among(self.matching.as_ref().unwrap_or(&self.order)) {
            self.marks.toggle(slot, row);
        }
    }

    /// Begins a range at the cursor, or ends the one begun; its marks stay.
    pub fn toggle_range(&mut self) {
        if self.range.take().is_none()
            && let Some(anchor) = self.visible().get(self.cursor).copied()
        {
            self.range = Some(MarkedRange { anchor, before: self.marks.clone() });
            self.extend_range();
        }
    }

    /// Takes all marks away.
    pub fn clear_marks(&mut self) {
        self.marks.clear();
        self.range = None;
    }

    /// Marks from the anchor of the range to the cursor, and nothing else but what was marked before.
    pub(super) fn extend_range(&mut self) {
        let Some(range) = &self.range else { return };
        let visible = self.matching.as_ref().unwrap_or(&self.order);
        let anchor = visible.iter().position(|slot| *slot == range.anchor).unwrap_or(self.cursor);
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
