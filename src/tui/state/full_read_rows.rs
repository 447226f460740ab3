//! A read of the whole folder: rows come in any order and are listed at once; at its end, those not
//! read are removed.

use jiff::Timestamp;

use super::full_read::FullRead;
use super::listing::Listing;
use super::row::Row;
use super::rows::Slot;
use super::stage::ListStage;
use crate::engine::message::Entry;

impl Listing {
    /// Prepares for the rows of the whole folder. From here on, the rows are sorted locally.
    pub fn begin_whole(&mut self) {
        self.full_read = Some(FullRead {
            is_first: self.is_empty(),
            ..FullRead::default()
        });
        self.next = None;
        self.loose.clear();
        if self.is_empty() {
            self.stage = ListStage::Loading;
        } else if !self.is_whole() {
            self.stage = ListStage::Partial;
        }
        self.resort();
    }

    pub fn whole_count(&self) -> usize {
        self.full_read
            .as_ref()
            .map_or(0, |full_read| full_read.count)
    }

    /// The number of files examined for these rows, where larger than their number.
    pub fn looked_at(&self) -> Option<usize> {
        self.full_read
            .as_ref()
            .map(|full_read| full_read.looked_at)
            .filter(|count| *count > self.whole_count())
    }

    pub fn look_at(&mut self, count: usize) {
        if let Some(full_read) = &mut self.full_read {
            full_read.looked_at = count;
        }
    }

    /// Adds some of the rows.
    pub fn take_part(&mut self, entries: Vec<Entry>, now: Timestamp) {
        let Some(mut full_read) = self.full_read.take() else {
            return;
        };
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

    /// Ends the read: the folder is complete, and rows that it did not bring are removed.
    pub fn finish_whole(&mut self, now: Timestamp) {
        let Some(full_read) = self.full_read.take() else {
            return;
        };
        self.stage = ListStage::Whole;
        self.loaded_at = Some(now);
        let slots = self.rows.iter().map(|(slot, _)| slot);
        let gone: Vec<Slot> = slots
            .filter(|slot| !full_read.seen.contains(*slot as usize))
            .collect();
        self.growing(&full_read, |listing| {
            listing.unlist(&gone);
            listing.forget(gone);
        });
    }

    /// Changes rows. A cursor that was never moved stays on the first row if the list was empty
    /// before.
    fn growing(&mut self, full_read: &FullRead, change: impl FnOnce(&mut Self)) {
        self.keeping_cursor(change);
        if full_read.is_first && !self.is_moved {
            self.list.move_to(0);
        }
    }

    /// Cancels the read if there is one; the rows it has brought stay.
    pub fn stop_whole(&mut self) {
        if self.full_read.take().is_some() {
            self.to_end = false;
        }
    }
}
