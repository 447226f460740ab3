//! How many rows of a list of duplicates have the same content: counted as they come and go, for a group may be long.

use std::collections::HashMap;

/// How many rows there are of each content, whether the filter lets them through or not.
#[derive(Debug, Clone, Default)]
pub(super) struct DuplicateCounts(HashMap<[u8; 16], usize>);

impl DuplicateCounts {
    /// A row came, went or has other content now.
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

    /// Contents of which there is more than one.
    pub(super) fn groups(&self) -> usize {
        self.0.values().filter(|count| **count > 1).count()
    }

    pub(super) fn count(&self, content: &[u8; 16]) -> usize {
        self.0.get(content).copied().unwrap_or(0)
    }
}
