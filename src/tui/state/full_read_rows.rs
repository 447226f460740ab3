//! A read of the whole folder, as it comes in: rows in any order, listed as they come. When it is over, the rows that
//! it did not bring are gone.

use jiff::Timestamp;

use super::full_read::FullRead;
use super::listing::Listing;
use super::row::Row;
use super::rows::Slot;
use super::stage::ListStage;
use crate::engine::message::Entry;

impl Listing {
    /// Makes ready for the rows of the whole folder. From here on they are in an order that was worked out here.
    pub fn begin_whole(&mut self) {
        self.full_read = Some(FullRead { is_first: self.is_empty(), ..FullRead::default() });
        self.next = None;
        self.loose.clear();
        if self.is_empty() {
            self.stage = ListStage::Loading;
        } else if !self.is_whole() {
            self.stage = ListStage::Partial;
        }
        self.resort();
    }

    /// How many rows the read of the whole folder has brought so far.
    pub fn whole_count(&self) -> usize {
        self.full_read.as_ref().map_or(0, |full_read| full_read.count)
    }

    /// How many files were looked at for these rows, where that is more than they are.
    pub fn looked_at(&self) -> Option<usize> {
        self.full_read.as_ref().map(|full_read| full_read.looked_at).filter(|count| *count > self.whole_count())
    }

    /// So many files were looked at so far.
    pub fn look_at(&mut self, count: usize) {
        if let Some(full_read) = &mut self.full_read {
            full_read.looked_at = count;
        }
    }

    /// Takes some of its rows.
    pub fn take_part(&mut self, entries: Vec<Entry>, now: Timestamp) {
        let Some(mut full_read) = self.full_read.take() else { return };
        self.loaded_at.get_or_insert(now);
        if self.stage == ListStage::Loading {
            self.stage = ListStage::Partial;
        }
        let (mut new, mut moved, unlisted) = (Vec::new(), Vec::new(), self.unlisted());
        for entry in entries {
            full_read.count += 1;
            let row = Row::new(&entry, self.of.base());
            if full_read.newer.contains(&row.target) {
                continue;
            }
            let (slot, old) = self.put_row(row);
            self.details.renew(entry);
            full_read.see(slot);
            match old {
                None => new.push(slot),
                Some(_) if unlisted.contains(slot as usize) => new.push(slot),
                Some(old) if !self.is_in_place(slot, &old) => moved.push(slot),
                Some(_) => {}
            }
        }
        self.growing(&full_read, |listing| {
            if !moved.is_empty() {
                listing.unlist(&moved);
                new.append(&mut moved);
            }
            listing.list(new);
        });
        self.full_read = Some(full_read);
    }

    /// The read has come to its end: the folder is whole, and what was not brought is gone.
    pub fn finish_whole(&mut self, now: Timestamp) {
        let Some(full_read) = self.full_read.take() else { return };
        self.stage = ListStage::Whole;
        self.loaded_at = Some(now);
        let slots = self.rows.iter().map(|(slot, _)| slot);
        let gone: Vec<Slot> = slots.filter(|slot| !full_read.seen.contains(*slot as usize)).collect();
        self.growing(&full_read, |listing| {
            listing.unlist(&gone);
            listing.forget(gone);
        });
    }

    /// Changes rows. A cursor that nobody has put anywhere stays on the first one of what was not there before.
    fn growing(&mut self, full_read: &FullRead, change: impl FnOnce(&mut Self)) {
        self.keeping_cursor(change);
        if full_read.is_first && !self.is_moved {
            self.cursor = 0;
        }
    }

    /// The read was given up, if it was under way: what it has brought stays.
    pub fn stop_whole(&mut self) {
        if self.full_read.take().is_some() {
            self.to_end = false;
        }
    }
}
