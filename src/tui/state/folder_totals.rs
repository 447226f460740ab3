//! How much is in the folders that were read.

use std::num::NonZeroUsize;

use lru::LruCache;

use crate::api::ids::FolderId;

/// Entries of a folder that were counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FolderTotal {
    pub seen: usize,
    /// Whether there were no more.
    pub is_all: bool,
}

/// What was counted last, of as many folders as are worth it.
#[derive(Debug, Clone)]
pub struct FolderTotals(LruCache<FolderId, FolderTotal>);

const MOST: NonZeroUsize = NonZeroUsize::new(4_096).unwrap();

impl Default for FolderTotals {
    fn default() -> Self {
        Self(LruCache::new(MOST))
    }
}

impl FolderTotals {
    pub fn count(&mut self, folder: &FolderId, count: FolderTotal) {
        if self.of(folder) != Some(count) {
            self.0.put(folder.clone(), count);
        }
    }

    pub fn of(&self, folder: &FolderId) -> Option<FolderTotal> {
        self.0.peek(folder).copied()
    }
}
