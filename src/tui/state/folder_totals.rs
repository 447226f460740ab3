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
    known: LruCache<Option<FolderId>, KnownTotal>,
    /// The count that is under way.
    pub asked: Option<OpId>,
}

impl FolderTotal {
    pub fn of(contents: &FolderContents) -> Self {
        Self { seen: contents.folders.len() + contents.files.len(), is_all: contents.is_all }
    }
}

const MOST: NonZeroUsize = NonZeroUsize::new(4_096).unwrap();

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct KnownTotal {
    /// None for a folder that could not be counted.
    total: Option<FolderTotal>,
    /// Something may have changed since.
    is_old: bool,
}

impl Default for FolderTotals {
    fn default() -> Self {
        Self { known: LruCache::new(MOST), asked: None }
    }
}

impl FolderTotals {
    /// Takes a count; none if the folder could not be counted.
    pub fn count(&mut self, folder: Option<&FolderId>, total: Option<FolderTotal>) {
        let known = KnownTotal { total, is_old: false };
        if self.known.peek(&folder.cloned()) != Some(&known) {
            self.known.put(folder.cloned(), known);
        }
    }

    pub fn of(&self, folder: Option<&FolderId>) -> Option<FolderTotal> {
        self.known.peek(&folder.cloned())?.total
    }

    /// Whether the folder is to be counted.
    pub fn lacks(&self, folder: Option<&FolderId>) -> bool {
        self.known.peek(&folder.cloned()).is_none_or(|known| known.is_old)
    }

    /// All folders are to be counted again; until then they show what they had.
    pub fn expire(&mut self) {
        for (_, known) in &mut self.known {
            known.is_old = true;
        }
    }
}
