//! The progress of a read of the whole folder, and the changes that other answers brought
//! meanwhile.

use std::collections::HashSet;

use fixedbitset::FixedBitSet;

use super::rows::Slot;
use crate::engine::message::Target;

#[derive(Debug, Clone, Default)]
pub(super) struct FullRead {
    /// Set if the list was empty when the read began.
    pub(super) is_first: bool,
    pub(super) count: usize,
    /// The number of files that the engine has examined, where more than `count`.
    pub(super) looked_at: usize,
    /// The slots of rows that exist.
    pub(super) seen: FixedBitSet,
    /// Targets that other answers have updated since the read began: what the read brings of them
    /// is older.
    pub(super) newer: HashSet<Target>,
}

impl FullRead {
    /// Records that another answer brought the row's current state.
    pub(super) fn keep(&mut self, slot: Slot, target: Target) {
        self.see(slot);
        self.newer.insert(target);
    }

    /// Records that another answer removed the row.
    pub(super) fn lose(&mut self, slot: Slot, target: Target) {
        if self.seen.contains(slot as usize) {
            self.seen.set(slot as usize, false);
        }
        self.newer.insert(target);
    }

    pub(super) fn see(&mut self, slot: Slot) {
        self.seen.grow(slot as usize + 1);
        self.seen.insert(slot as usize);
    }
}
