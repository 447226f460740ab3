//! The rows that are known of the open folder, found by id. A row keeps its slot for as long as it is here, so that
//! orders and marks are lists and sets of small numbers.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use hashbrown::HashTable;

use super::row::Row;
use crate::engine::message::Target;

/// Where a row is kept.
pub type Slot = u32;

const CHUNK: usize = 1024;

/// Rows by slot and by id.
#[derive(Debug, Clone, Default)]
pub struct Rows {
    /// Full but for the last one: a long folder grows without its rows being copied.
    chunks: Vec<Vec<Option<Row>>>,
    free: Vec<Slot>,
    index: HashTable<Slot>,
    hasher: RandomState,
    /// The start of the last address, which the next one mostly shares.
    base: Option<Arc<str>>,
}

impl Rows {
    pub fn len(&self) -> usize {
        self.index.len()
    }

    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// Slots end before this one.
    pub fn end(&self) -> usize {
        self.chunks.last().map_or(0, |last| (self.chunks.len() - 1) * CHUNK + last.len())
    }

    pub fn get(&self, slot: Slot) -> Option<&Row> {
        at(&self.chunks, slot)
    }

    pub fn find(&self, target: &Target) -> Option<Slot> {
        let is_it = |slot: &Slot| self.get(*slot).is_some_and(|row| row.target == *target);
        self.index.find(self.hasher.hash_one(target), is_it).copied()
    }

    /// Every row with its slot, in no order that means anything.
    pub fn iter(&self) -> impl Iterator<Item = (Slot, &Row)> {
        (0..).zip(self.chunks.iter().flatten()).filter_map(|(slot, row)| Some((slot, row.as_ref()?)))
    }

    /// These rows in the order of their slots: through many of them that is several times faster than any other. No other
    /// row is looked at.
    pub fn among(&self, slots: &[Slot]) -> impl Iterator<Item = (Slot, &Row)> {
        let wanted: FixedBitSet = slots.iter().map(|slot| *slot as usize).collect();
        let sorted: Vec<usize> = wanted.ones().collect();
        sorted.into_iter().filter_map(|slot| {
            let slot = Slot::try_from(slot).ok()?;
            Some((slot, self.get(slot)?))
        })
    }

    /// Adds a row, or puts it in place of the one of that id; gives the one that was there.
    pub fn put(&mut self, mut row: Row) -> (Slot, Option<Row>) {
        row.share(&mut self.base);
        if let Some(slot) = self.find(&row.target) {
            return (slot, self.place(slot).and_then(|place| place.replace(row)));
        }
        let hash = self.hasher.hash_one(&row.target);
        let slot = self.free.pop().unwrap_or_else(|| Slot::try_from(self.end()).unwrap_or(Slot::MAX));
        match self.place(slot) {
            Some(place) => *place = Some(row),
            None => self.push(row),
        }
        let Self { chunks, index, hasher, .. } = self;
        let hash_of = |slot: &Slot| at(chunks, *slot).map_or(0, |row| hasher.hash_one(&row.target));
        index.insert_unique(hash, slot, hash_of);
        (slot, None)
    }

    /// Takes a row away.
    pub fn remove(&mut self, slot: Slot) -> Option<Row> {
        let row = self.place(slot)?.take()?;
        let hash = self.hasher.hash_one(&row.target);
        if let Ok(entry) = self.index.find_entry(hash, |other| *other == slot) {
            entry.remove();
        }
        self.free.push(slot);
        Some(row)
    }

    fn place(&mut self, slot: Slot) -> Option<&mut Option<Row>> {
        self.chunks.get_mut(slot as usize / CHUNK)?.get_mut(slot as usize % CHUNK)
    }

    fn push(&mut self, row: Row) {
        if self.chunks.last().is_none_or(|last| last.len() >= CHUNK) {
            self.chunks.push(Vec::with_capacity(CHUNK));
        }
        if let Some(last) = self.chunks.last_mut() {
            last.push(Some(row));
        }
    }
}

fn at(chunks: &[Vec<Option<Row>>], slot: Slot) -> Option<&Row> {
    chunks.get(slot as usize / CHUNK)?.get(slot as usize % CHUNK)?.as_ref()
}
