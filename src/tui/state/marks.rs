//! The marked rows: a set with running totals, so that neither marking nor drawing counts them
//! again.

use fixedbitset::FixedBitSet;

use super::row::Row;
use super::rows::Slot;
use crate::api::model::Access;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Marks {
    slots: FixedBitSet,
    len: usize,
    folders: usize,
    bytes: u64,
    /// The number of files by access level; a level that no file has anymore stays, with 0.
    levels: Vec<(Option<Access>, usize)>,
}

impl Marks {
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn folders(&self) -> usize {
        self.folders
    }

    /// The known sizes of the marked files, summed.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The number of marked files by access level.
    pub fn levels(&self) -> impl Iterator<Item = (Option<&Access>, usize)> {
        self.levels
            .iter()
            .filter(|(_, count)| *count > 0)
            .map(|(level, count)| (level.as_ref(), *count))
    }

    pub fn contains(&self, slot: Slot) -> bool {
        self.slots.contains(slot as usize)
    }

    /// Returns the slots in no meaningful order.
    pub fn slots(&self) -> impl Iterator<Item = Slot> {
        self.slots
            .ones()
            .filter_map(|slot| Slot::try_from(slot).ok())
    }

    pub fn insert(&mut self, slot: Slot, row: &Row) {
        if !self.contains(slot) {
            self.slots.grow(slot as usize + 1);
            self.slots.insert(slot as usize);
            self.len += 1;
            self.folders += usize::from(!row.is_file());
            self.bytes = self.bytes.saturating_add(row.size.unwrap_or(0));
            self.count_level(row, |count| count + 1);
        }
    }

    pub fn remove(&mut self, slot: Slot, row: &Row) {
        if self.contains(slot) {
            self.slots.set(slot as usize, false);
            self.len = self.len.saturating_sub(1);
            self.folders = self.folders.saturating_sub(usize::from(!row.is_file()));
            self.bytes = self.bytes.saturating_sub(row.size.unwrap_or(0));
            self.count_level(row, |count| count.saturating_sub(1));
        }
    }

    pub fn toggle(&mut self, slot: Slot, row: &Row) {
        if self.contains(slot) {
            self.remove(slot, row);
        } else {
            self.insert(slot, row);
        }
    }

    pub fn clear(&mut self) {
        *self = Self::default();
    }

    fn count_level(&mut self, row: &Row, count: impl FnOnce(usize) -> usize) {
        if row.is_file() {
            match self
                .levels
                .iter_mut()
                .find(|(level, _)| *level == row.access)
            {
                Some((_, known)) => *known = count(*known),
                None => self.levels.push((row.access.clone(), count(0))),
            }
        }
    }
}
