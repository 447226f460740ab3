//! How much is in folders, as far as it was counted; the root folder has no id.

use std::num::NonZeroUsize;

use lru::LruCache;

use crate::api::ids::FolderId;
use crate::engine::OpId;
use crate::engine::preview::FolderContents;

/// Entries of a folder that were counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FolderTotal {
    pub seen: usize,
    /// Whether there were no more.
    pub is_all: bool,
}

/// What was counted last, of as many folders as are worth it.
#[derive(Debug, Clone)]
pub struct FolderTotals {
    /// None for a folder that could not be counted.
    known: LruCache<Option<FolderId>, Option<FolderTotal>>,
    /// The count that is under way.
    pub asked: Option<OpId>,
}

impl FolderTotal {
    pub fn of(contents: &FolderContents) -> Self {
        Self { seen: contents.folders.len() + contents.files.len(), is_all: contents.is_all }
    }
}

const MOST: NonZeroUsize = NonZeroUsize::new(4_096).unwrap();

impl Default for FolderTotals {
    fn default() -> Self {
        Self { known: LruCache::new(MOST), asked: None }
    }
}

impl FolderTotals {
    /// Takes a count; none if the folder could not be counted.
    pub fn count(&mut self, folder: Option<&FolderId>, total: Option<FolderTotal>) {
        if self.known.peek(&folder.cloned()) != Some(&total) {
            self.known.put(folder.cloned(), total);
        }
    }

    pub fn of(&self, folder: Option<&FolderId>) -> Option<FolderTotal> {
        *self.known.peek(&folder.cloned())?
    }

    /// Whether the folder was neither counted nor tried.
    pub fn lacks(&self, folder: Option<&FolderId>) -> bool {
        !self.known.contains(&folder.cloned())
    }

    /// Forgets what has changed, so that it is counted again.
    pub fn forget(&mut self, folder: Option<&FolderId>) {
        self.known.pop(&folder.cloned());
    }
}
