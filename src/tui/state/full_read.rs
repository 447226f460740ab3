//! What a read of the whole folder has brought so far, and what other answers have brought since it began.

use std::collections::HashSet;

use fixedbitset::FixedBitSet;

use super::rows::Slot;
use crate::engine::message::Target;

/// A read of the whole folder under way.
#[derive(Debug, Clone, Default)]
pub(super) struct FullRead {
    /// Whether nothing was there when it began.
    pub(super) is_first: bool,
    pub(super) count: usize,
    /// How many files the engine has looked at for them, where that is more.
    pub(super) looked_at: usize,
    /// Slots of the rows that are there.
    pub(super) seen: FixedBitSet,
    /// What other answers have said since it began: what it still brings of that is older.
    pub(super) newer: HashSet<Target>,
}

impl FullRead {
    /// Another answer told what this row is now.
    pub(super) fn keep(&mut self, slot: Slot, target: Target) {
        self.see(slot);
        self.newer.insert(target);
    }

    /// Another answer took this row away.
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
