//! The number of rows per content in a list of duplicates, counted incrementally, because a group
//! may be long.

use std::collections::HashMap;

/// The number of rows by MD5, whether or not the filter matches them.
#[derive(Debug, Clone, Default)]
pub(super) struct DuplicateCounts(HashMap<[u8; 16], usize>);

impl DuplicateCounts {
    /// Updates the counts after a row was added (no `old`), removed (no `new`) or changed.
    pub(super) fn change(&mut self, old: Option<[u8; 16]>, new: Option<[u8; 16]>) {
        if let Some(old) = old
            && let Some(count) = self.0.get_mut(&old)
        {
            *count -= 1;
            if *count == 0 {
                self.0.remove(&old);
            }
        }
        if let Some(new) = new {
            *self.0.entry(new).or_default() += 1;
        }
    }

    /// The number of contents that occur more than once.
    pub(super) fn groups(&self) -> usize {
        self.0.values().filter(|count| **count > 1).count()
    }

    pub(super) fn count(&self, content: &[u8; 16]) -> usize {
        self.0.get(content).copied().unwrap_or(0)
    }
}
