//! The known rows of the open folder, indexed by id. A row keeps its slot while it is here, so that
//! orders and marks are lists and sets of small numbers.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use hashbrown::HashTable;

use super::row::Row;
use crate::engine::message::Target;

pub type Slot = u32;

const CHUNK: usize = 1024;

#[derive(Debug, Clone, Default)]
pub struct Rows {
    /// All full except the last one: a long folder grows without copying its rows.
    chunks: Vec<Vec<Option<Row>>>,
    free: Vec<Slot>,
    index: HashTable<Slot>,
    hasher: RandomState,
    /// The URL base of the last row, which the next one usually shares.
    base: Option<Arc<str>>,
}

impl Rows {
    pub fn len(&self) -> usize {
        self.index.len()
    }

    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// The end of the range of slots.
    pub fn end(&self) -> usize {
        self.chunks
            .last()
            .map_or(0, |last| (self.chunks.len() - 1) * CHUNK + last.len())
    }

    pub fn get(&self, slot: Slot) -> Option<&Row> {
        at(&self.chunks, slot)
    }

    pub fn find(&self, target: &Target) -> Option<Slot> {
        let is_it = |slot: &Slot| self.get(*slot).is_some_and(|row| row.target == *target);
        self.index
            .find(self.hasher.hash_one(target), is_it)
            .copied()
    }

    /// Returns every row with its slot, in no meaningful order.
    pub fn iter(&self) -> impl Iterator<Item = (Slot, &Row)> {
        (0..)
            .zip(self.chunks.iter().flatten())
            .filter_map(|(slot, row)| Some((slot, row.as_ref()?)))
    }

    /// Returns these rows in slot order, which is several times faster for many rows. Looks at no
    /// other row.
    pub fn among(&self, slots: &[Slot]) -> impl Iterator<Item = (Slot, &Row)> {
        let wanted: FixedBitSet = slots.iter().map(|slot| *slot as usize).collect();
        let sorted: Vec<usize> = wanted.ones().collect();
        sorted.into_iter().filter_map(|slot| {
            let slot = Slot::try_from(slot).ok()?;
            Some((slot, self.get(slot)?))
        })
    }

    /// Adds a row, or replaces the one with its id; returns the replaced one.
    pub fn put(&mut self, mut row: Row) -> (Slot, Option<Row>) {
        row.share(&mut self.base);
        if let Some(slot) = self.find(&row.target) {
            return (slot, self.place(slot).and_then(|place| place.replace(row)));
        }
        let hash = self.hasher.hash_one(&row.target);
        let slot = self
            .free
            .pop()
            .unwrap_or_else(|| Slot::try_from(self.end()).unwrap_or(Slot::MAX));
        match self.place(slot) {
            Some(place) => *place = Some(row),
            None => self.push(row),
        }
        let Self {
            chunks,
            index,
            hasher,
            ..
        } = self;
        let hash_of = |slot: &Slot| at(chunks, *slot).map_or(0, |row| hasher.hash_one(&row.target));
        index.insert_unique(hash, slot, hash_of);
        (slot, None)
    }

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
        self.chunks
            .get_mut(slot as usize / CHUNK)?
            .get_mut(slot as usize % CHUNK)
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
    chunks
        .get(slot as usize / CHUNK)?
        .get(slot as usize % CHUNK)?
        .as_ref()
}
