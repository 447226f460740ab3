//! Takes answers into the list: pages in the service's order, and single rows that came, changed or went.

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;
use jiff::Timestamp;

use super::listing::Listing;
use super::order;
use super::row::Row;
use super::rows::Slot;
use super::stage::ListStage;
use crate::api::Error;
use crate::engine::message::{Cursor, Entry, Stage as Part, Target};

/// More rows than one answer holds are not read again for a change: the rows around the cursor are looked at.
const ONE_ANSWER: usize = 100;

impl Listing {
    /// Takes the first page in the order that the list has now. What it leaves out is listed again as it comes; marked
    /// rows are kept for that.
    pub fn take_first(&mut self, entries: Vec<Entry>, next: Option<Cursor>, now: Timestamp) {
        self.keeping_cursor(|listing| {
            listing.order.clear();
            listing.loose.clear();
            listing.stage = ListStage::Partial;
            listing.append(entries, next, now);
            listing.forget_unlisted();
        });
    }

    /// Takes the page that comes after what is loaded.
    pub fn take_next(&mut self, entries: Vec<Entry>, next: Option<Cursor>, now: Timestamp) {
        self.pace();
        self.keeping_cursor(|listing| {
            listing.append(entries, next, now);
            listing.forget_unlisted();
        });
    }

    fn append(&mut self, entries: Vec<Entry>, next: Option<Cursor>, now: Timestamp) {
        let new: Vec<Slot> = entries.into_iter().map(|entry| self.put(entry).0).collect();
        // What was listed already has moved while the folder was read.
        self.unlist(&new);
        let mut loose = std::mem::take(&mut self.loose);
        loose.retain(|slot| !new.contains(slot));
        self.unlist(&loose);
        self.order.extend(new);
        self.list(loose.clone());
        self.loose = loose;
        self.stage = if next.is_some() { ListStage::Partial } else { ListStage::Whole };
        self.next = next;
        self.loaded_at = Some(now);
        self.refilter();
    }

    /// A page did not come. What is there stays, and a refresh that fails takes nothing away.
    pub fn fail(&mut self, error: Error) {
        self.stale = false;
        self.to_end = false;
        if !self.is_whole() {
            self.stage = ListStage::Failed(error);
        }
    }

    /// Adds a row where the order has it, or changes the one that is there.
    pub fn upsert(&mut self, entry: Entry) {
        self.settle(vec![entry], &BTreeSet::new());
    }

    /// Takes rows away; the cursor stays on its row, or goes to the next one.
    pub fn remove(&mut self, targets: &BTreeSet<Target>) {
        self.settle(Vec::new(), targets);
    }

    /// Takes what jobs have changed: it is newer than the answer to what was asked before.
    pub fn change(&mut self, entries: Vec<Entry>, gone: &BTreeSet<Target>) {
        if self.pending.is_some() {
            self.since_asked.push((entries.clone(), gone.clone()));
        }
        self.settle(entries, gone);
    }

    /// Makes the changes again that came after the read was asked for whose answer was taken.
    pub fn catch_up(&mut self) {
        for (entries, gone) in std::mem::take(&mut self.since_asked) {
            self.settle(entries, &gone);
        }
    }

    /// Takes what single rows are now, and which are gone.
    pub fn settle(&mut self, entries: Vec<Entry>, gone: &BTreeSet<Target>) {
        let gone: Vec<Slot> = gone.iter().filter_map(|target| self.rows.find(target)).collect();
        if !gone.is_empty() {
            let from = self.visible().get(self.cursor..).unwrap_or_default();
            self.cursor += from.iter().take_while(|slot| gone.contains(slot)).count();
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
            // A file whose twin is gone is no duplicate anymore.
            if may_be_alone && listing.of.is_read_whole() && listing.is_whole() {
                let alone = listing.alone();
                listing.unlist(&alone);
                listing.forget(alone);
            }
        });
    }

    /// Whether one answer would hold the folder again, as far as it is loaded.
    pub fn fits_one_answer(&self) -> bool {
        self.len() <= ONE_ANSWER
    }

    /// The rows around the cursor that one request can ask about, and the newest one of their kind.
    pub fn around_cursor(&self) -> (Vec<Target>, Option<Target>) {
        let Some(here) = self.current() else { return (Vec::new(), None) };
        let is_alike = |row: &Row| row.is_file() == here.is_file();
        let from = self.cursor.saturating_sub(ONE_ANSWER / 2);
        let around = (from..from + ONE_ANSWER).filter_map(|index| self.at(index)).map(|(_, row)| row);
        let newest = self.rows.iter().map(|(_, row)| row).filter(|row| is_alike(row));
        // What is new among duplicates is not found by its id.
        let newest = newest.filter(|_| !self.of.is_read_whole());
        let newest = newest.max_by(|a, b| order::by_id(a, b)).map(|row| row.target.clone());
        (around.filter(|row| is_alike(row)).map(|row| row.target.clone()).collect(), newest)
    }

    /// Keeps what an entry tells, listed or not; gives the row that was there.
    fn put(&mut self, entry: Entry) -> (Slot, Option<Row>) {
        let row = Row::new(&entry, self.of.base());
        self.details.put(entry);
        self.put_row(row)
    }

    /// Keeps a row, listed or not; gives the one that was there.
    pub(super) fn put_row(&mut self, row: Row) -> (Slot, Option<Row>) {
        let content = row.md5();
        let (slot, old) = self.rows.put(row);
        if self.of.is_read_whole() {
            self.contents.change(old.as_ref().and_then(Row::md5), content);
        }
        if let (Some(old), Some(row)) = (&old, self.rows.get(slot))
            && self.marks.contains(slot)
        {
            self.marks.remove(slot, old);
            self.marks.insert(slot, row);
        }
        (slot, old)
    }

    /// Whether a row belongs where it stood when it was `old`, and the filter says the same of both.
    pub(super) fn is_in_place(&self, slot: Slot, old: &Row) -> bool {
        let row = self.rows.get(slot);
        row.is_some_and(|row| row.name == old.name && order::compare(self.sort, old, row).is_eq())
    }

    /// Rows that are known and have no place in the list.
    pub(super) fn unlisted(&self) -> FixedBitSet {
        let mut slots = FixedBitSet::new();
        // Mostly there are none, and nothing has to be looked for.
        if self.len() < self.rows.len() {
            slots.grow(self.rows.end());
            slots.extend(self.rows.iter().map(|(slot, _)| slot as usize));
            self.order.iter().for_each(|slot| slots.set(*slot as usize, false));
        }
        slots
    }

    /// Lists rows where the order has them.
    pub(super) fn list(&mut self, slots: Vec<Slot>) {
        if slots.is_empty() {
            return;
        }
        let mut new = order::sorted(self.sort, &self.rows, slots.into_iter());
        // A row may have changed more than once.
        new.dedup();
        order::merge(self.sort, &self.rows, &mut self.order, &new);
        if let (Some(matching), Some(filter)) = (&mut self.matching, &self.filter) {
            let mut search = filter.search();
            let is_match = |slot: &Slot| self.rows.get(*slot).is_some_and(|row| search.matches(&row.name));
            let new: Vec<Slot> = new.into_iter().filter(is_match).collect();
            order::merge(self.sort, &self.rows, matching, &new);
        }
    }

    /// Takes rows out of the list; they stay known.
    pub(super) fn unlist(&mut self, slots: &[Slot]) {
        if slots.is_empty() {
            return;
        }
        let mut gone = FixedBitSet::with_capacity(self.rows.end());
        gone.extend(slots.iter().map(|slot| *slot as usize));
        let is_kept = |slot: &Slot| !gone.contains(*slot as usize);
        self.order.retain(is_kept);
        if let Some(matching) = &mut self.matching {
            matching.retain(is_kept);
        }
    }

    /// Forgets rows that are not listed.
    pub(super) fn forget(&mut self, slots: Vec<Slot>) {
        if !slots.is_empty() {
            self.loose.retain(|slot| !slots.contains(slot));
        }
        for slot in slots {
            if let Some(row) = self.rows.remove(slot) {
                if self.of.is_read_whole() {
                    self.contents.change(row.md5(), None);
                }
                self.marks.remove(slot, &row);
                self.details.remove(&row.target);
                if let Some(full_read) = &mut self.full_read {
                    full_read.lose(slot, row.target);
                }
            }
        }
    }

    /// Forgets what has no place in the list. Marked rows may get one while not all of the folder is read.
    fn forget_unlisted(&mut self) {
        let unlisted = self.unlisted();
        let slots = unlisted.ones().filter_map(|slot| Slot::try_from(slot).ok());
        self.forget(slots.filter(|slot| self.is_whole() || !self.marks.contains(*slot)).collect());
    }

    /// The service's pages have moved up by what is gone.
    fn step_back(&mut self, gone: &[Slot]) {
        let Some(next) = &mut self.next else { return };
        let rows = gone.iter().filter_map(|slot| self.rows.get(*slot));
        let gone = rows.filter(|row| row.is_file() == (next.stage == Part::Files)).count();
        next.offset = next.offset.saturating_sub(u32::try_from(gone).unwrap_or(u32::MAX));
    }
}
