//! The entry counts of folders; the root folder has no id.

use std::num::NonZeroUsize;

use lru::LruCache;

use crate::api::ids::FolderId;
use crate::engine::OpId;
use crate::engine::preview::FolderContents;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FolderTotal {
    pub seen: usize,
    /// Set if there were no more.
    pub is_all: bool,
}

/// The latest counts of the most recently counted folders.
#[derive(Debug, Clone)]
pub struct FolderTotals {
    known: LruCache<Option<FolderId>, KnownTotal>,
    /// The count in progress.
    pub asked: Option<OpId>,
}

impl FolderTotal {
    pub fn of(contents: &FolderContents) -> Self {
        Self {
            seen: contents.folders.len() + contents.files.len(),
            is_all: contents.is_all,
        }
    }
}

const MOST: NonZeroUsize = NonZeroUsize::new(4_096).unwrap();

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct KnownTotal {
    /// The count; `None` for a folder that could not be counted.
    total: Option<FolderTotal>,
    /// Set when something may have changed since.
    is_old: bool,
}

impl Default for FolderTotals {
    fn default() -> Self {
        Self {
            known: LruCache::new(MOST),
            asked: None,
        }
    }
}

impl FolderTotals {
    /// Stores a count; `None` if the folder could not be counted.
    pub fn count(&mut self, folder: Option<&FolderId>, total: Option<FolderTotal>) {
        let known = KnownTotal {
            total,
            is_old: false,
        };
        if self.known.peek(&folder.cloned()) != Some(&known) {
            self.known.put(folder.cloned(), known);
        }
    }

    pub fn of(&self, folder: Option<&FolderId>) -> Option<FolderTotal> {
        self.known.peek(&folder.cloned())?.total
    }

    pub fn lacks(&self, folder: Option<&FolderId>) -> bool {
        self.known
            .peek(&folder.cloned())
            .is_none_or(|known| known.is_old)
    }

    /// Makes all folders be counted again; until then, the old counts are shown.
    pub fn expire(&mut self) {
        for (_, known) in &mut self.known {
            known.is_old = true;
        }
    }
}
