//! Applies answers to the list: pages in the service's order, and single rows that were added,
//! changed or removed.

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;
use jiff::Timestamp;

use super::listing::Listing;
use super::name_order::NameOrder;
use super::order;
use super::row::Row;
use super::rows::Slot;
use super::stage::ListStage;
use crate::api::Error;
use crate::engine::message::{Cursor, Entry, Stage as Part, Target};

/// The rows in one answer. A longer list is not read again after a change: only the rows around the
/// cursor are.
const ONE_ANSWER: usize = 100;

impl Listing {
    /// Replaces the list with the first page in the current order. Rows not on it are listed again
    /// as they arrive; marked ones are kept for that.
    pub fn take_first(&mut self, entries: Vec<Entry>, next: Option<Cursor>, now: Timestamp) {
        self.keeping_cursor(|listing| {
            listing.list.order.clear();
            listing.loose.clear();
            listing.stage = ListStage::Partial;
            listing.append(entries, next, now);
            listing.forget_unlisted();
        });
    }

    /// Appends the page after the loaded rows.
    pub fn take_next(&mut self, entries: Vec<Entry>, next: Option<Cursor>, now: Timestamp) {
        self.pace();
        self.keeping_cursor(|listing| {
            listing.append(entries, next, now);
            listing.forget_unlisted();
        });
    }

    fn append(&mut self, entries: Vec<Entry>, next: Option<Cursor>, now: Timestamp) {
        let new: Vec<Slot> = entries.into_iter().map(|entry| self.put(entry).0).collect();
        // A row that was listed already has moved while the folder was read.
        self.unlist(&new);
        let mut loose = std::mem::take(&mut self.loose);
        loose.retain(|slot| !new.contains(slot));
        self.unlist(&loose);
        self.list.order.extend(new);
        self.list(loose.clone());
        self.loose = loose;
        self.stage = if next.is_some() {
            ListStage::Partial
        } else {
            ListStage::Whole
        };
        self.next = next;
        self.loaded_at = Some(now);
        if self.is_whole() && self.names == NameOrder::Natural {
            self.list.order = order::sorted(
                self.row_order(),
                &self.rows,
                self.list.order.iter().copied(),
            );
        }
        self.refilter();
    }

    /// Records that a page could not be read. The loaded rows stay, and a failed refresh removes
    /// nothing.
    pub fn fail(&mut self, error: Error) {
        self.stale = false;
        self.to_end = false;
        if !self.is_whole() {
            self.stage = ListStage::Failed(error);
        }
    }

    /// Inserts a row in order, or updates it.
    pub fn upsert(&mut self, entry: Entry) {
        self.settle(vec![entry], &BTreeSet::new());
    }

    /// Removes rows; the cursor stays on its row, or goes to the next one.
    pub fn remove(&mut self, targets: &BTreeSet<Target>) {
        self.settle(Vec::new(), targets);
    }

    /// Applies the changes that jobs have made, which are newer than the answer to any pending
    /// read.
    pub fn change(&mut self, entries: Vec<Entry>, gone: &BTreeSet<Target>) {
        if self.pending.is_some() {
            self.since_asked.push((entries.clone(), gone.clone()));
        }
        self.settle(entries, gone);
    }

    /// Applies again the changes that came after the answered read was sent.
    pub fn catch_up(&mut self) {
        for (entries, gone) in std::mem::take(&mut self.since_asked) {
            self.settle(entries, &gone);
        }
    }

    /// Updates single rows and removes those in `gone`.
    pub fn settle(&mut self, entries: Vec<Entry>, gone: &BTreeSet<Target>) {
        let gone: Vec<Slot> = gone
            .iter()
            .filter_map(|target| self.rows.find(target))
            .collect();
        if !gone.is_empty() {
            let from = self.visible().get(self.list.cursor.at()..);
            let mut from = from.unwrap_or_default().iter();
            let next = from.find(|slot| !gone.contains(slot)).copied();
            self.list.find(next.as_ref());
        }
        self.keeping_cursor(|listing| {
            let mut may_be_alone = !gone.is_empty();
            if !gone.is_empty() {
                listing.step_back(&gone);
                listing.unlist(&gone);
                listing.forget(gone);
            }
            let (mut moved, unlisted) = (Vec::new(), listing.unlisted());
            for entry in entries {
                let target = entry.target();
                let (slot, old) = listing.put(entry);
                if let Some(full_read) = &mut listing.full_read {
                    full_read.keep(slot, target);
                }
                let content = listing.rows.get(slot).and_then(Row::md5);
                may_be_alone |= old.as_ref().is_some_and(|old| old.md5() != content);
                let is_listed = !unlisted.contains(slot as usize);
                if !old.is_some_and(|old| is_listed && listing.is_in_place(slot, &old)) {
                    moved.push(slot);
                }
            }
            listing.unlist(&moved);
            if listing.stage == ListStage::Partial && listing.full_read.is_none() {
                listing.loose.extend(&moved);
            }
            listing.list(moved);
            // A file whose only copy was removed is no longer a duplicate.
            if may_be_alone && listing.of.is_read_whole() && listing.is_whole() {
                let alone = listing.alone();
                listing.unlist(&alone);
                listing.forget(alone);
            }
        });
    }

    /// Returns `true` if one answer can hold all loaded rows.
    pub fn fits_one_answer(&self) -> bool {
        self.len() <= ONE_ANSWER
    }

    /// The rows around the cursor that one request can ask for, and the newest one of their type.
    pub fn around_cursor(&self) -> (Vec<Target>, Option<Target>) {
        let Some(here) = self.current() else {
            return (Vec::new(), None);
        };
        let is_alike = |row: &Row| row.is_file() == here.is_file();
        let from = self.list.cursor.at().saturating_sub(ONE_ANSWER / 2);
        let around = (from..from + ONE_ANSWER)
            .filter_map(|index| self.at(index))
            .map(|(_, row)| row);
        let newest = self
            .rows
            .iter()
            .map(|(_, row)| row)
            .filter(|row| is_alike(row));
        // New duplicates cannot be found by their id.
        let newest = newest.filter(|_| !self.of.is_read_whole());
        let newest = newest
            .max_by(|a, b| order::by_id(a, b))
            .map(|row| row.target.clone());
        (
            around
                .filter(|row| is_alike(row))
                .map(|row| row.target.clone())
                .collect(),
            newest,
        )
    }

    /// Stores an entry, listed or not, and returns the row that it replaces.
    fn put(&mut self, entry: Entry) -> (Slot, Option<Row>) {
        let row = Row::new(&entry, self.of.base());
        self.details.put(entry);
        self.put_row(row)
    }

    /// Stores a row, listed or not, and returns the one that it replaces.
    pub(super) fn put_row(&mut self, row: Row) -> (Slot, Option<Row>) {
        let content = row.md5();
        let (slot, old) = self.rows.put(row);
        if self.of.is_read_whole() {
            self.contents
                .change(old.as_ref().and_then(Row::md5), content);
        }
        if let (Some(old), Some(row)) = (&old, self.rows.get(slot))
            && self.list.is_marked(&slot)
        {
            self.marks.count(old, false);
            self.marks.count(row, true);
        }
        (slot, old)
    }

    /// Returns `true` if a row still belongs where it was as `old`, and the filter treats both
    /// alike.
    pub(super) fn is_in_place(&self, slot: Slot, old: &Row) -> bool {
        let row = self.rows.get(slot);
        row.is_some_and(|row| {
            row.name == old.name && order::compare(self.row_order(), old, row).is_eq()
        })
    }

    /// The known rows that are not listed.
    pub(super) fn unlisted(&self) -> FixedBitSet {
        let mut slots = FixedBitSet::new();
        // Usually there are none, and the scan is skipped.
        if self.len() < self.rows.len() {
            slots.grow(self.rows.end());
            slots.extend(self.rows.iter().map(|(slot, _)| slot as usize));
            let order = self.list.order.iter();
            order.for_each(|slot| slots.set(*slot as usize, false));
        }
        slots
    }

    pub(super) fn list(&mut self, slots: Vec<Slot>) {
        if slots.is_empty() {
            return;
        }
        let by = self.row_order();
        let list = &mut self.list;
        let mut new = order::sorted(by, &self.rows, slots.into_iter());
        // A row may have changed more than once.
        new.dedup();
        order::merge(by, &self.rows, &mut list.order, &new);
        if let (Some(matching), Some(filter)) = (&mut list.matching, &list.filter) {
            let mut search = filter.search();
            let is_match = |slot: &Slot| {
                self.rows
                    .get(*slot)
                    .is_some_and(|row| search.matches(&row.name))
            };
            let new: Vec<Slot> = new.into_iter().filter(is_match).collect();
            order::merge(by, &self.rows, matching, &new);
        }
    }

    /// Removes rows from the list; they stay known.
    pub(super) fn unlist(&mut self, slots: &[Slot]) {
        if slots.is_empty() {
            return;
        }
        let mut gone = FixedBitSet::with_capacity(self.rows.end());
        gone.extend(slots.iter().map(|slot| *slot as usize));
        let is_kept = |slot: &Slot| !gone.contains(*slot as usize);
        self.list.order.retain(is_kept);
        if let Some(matching) = &mut self.list.matching {
            matching.retain(is_kept);
        }
    }

    /// Forgets rows that are not listed.
    pub(super) fn forget(&mut self, slots: Vec<Slot>) {
        if !slots.is_empty() {
            self.loose.retain(|slot| !slots.contains(slot));
            self.marking(|list| slots.iter().for_each(|slot| list.unmark(slot)));
        }
        for slot in slots {
            if let Some(row) = self.rows.remove(slot) {
                if self.of.is_read_whole() {
                    self.contents.change(row.md5(), None);
                }
                self.details.remove(&row.target);
                if let Some(full_read) = &mut self.full_read {
                    full_read.lose(slot, row.target);
                }
            }
        }
    }

    /// Forgets unlisted rows. Marked ones may still be listed while the folder is not completely
    /// read.
    fn forget_unlisted(&mut self) {
        let unlisted = self.unlisted();
        let slots = unlisted.ones().filter_map(|slot| Slot::try_from(slot).ok());
        self.forget(
            slots
                .filter(|slot| self.is_whole() || !self.list.is_marked(slot))
                .collect(),
        );
    }

    /// Moves the offset of the next page back by the number of removed rows.
    fn step_back(&mut self, gone: &[Slot]) {
        let Some(next) = &mut self.next else { return };
        let rows = gone.iter().filter_map(|slot| self.rows.get(*slot));
        let gone = rows
            .filter(|row| row.is_file() == (next.stage == Part::Files))
            .count();
        next.position.offset = next
            .position
            .offset
            .saturating_sub(u32::try_from(gone).unwrap_or(u32::MAX));
    }
}
