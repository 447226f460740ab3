//! The memory of one account's listings from page to page: how to request the root folder, and what
//! was returned.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::root::{RootFilter, RootMemory};
use crate::api::ids::FolderId;
use crate::engine::message::{Collection, Entry, Stage};

/// The collections whose returned ids are remembered. One more forgets all, which matters only past
/// offset 10,000.
const REMEMBERED: usize = 16;

#[derive(Debug, Default)]
pub struct ListMemory {
    root: RootMemory,
    /// Ids returned so far, by collection and stage; cleared with the first page.
    given: Mutex<SeenIds>,
    /// The number of empty pages in a row.
    empty: Mutex<HashMap<(ListKey, Stage), u32>>,
}

type SeenIds = HashMap<(ListKey, Stage), HashSet<String>>;

/// The identity of a collection: a folder may change its path meanwhile.
#[derive(Debug, PartialEq, Eq, Hash)]
enum ListKey {
    Folder(Option<FolderId>),
    Found(String),
}

impl ListKey {
    fn of(of: &Collection) -> Self {
        match of {
            Collection::Folder(place) => Self::Folder(place.id.clone()),
            Collection::Found(query) => Self::Found(query.line().to_owned()),
        }
    }
}

/// The extent of a request: the folder's contents, or everything.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ListScope {
    Folder,
    Everything,
}

impl ListMemory {
    /// Creates a memory for another read of the same account, which does not disturb the listings.
    pub(super) fn with_root_of(other: &Self) -> Self {
        let own = Self::default();
        own.take_root_of(other);
        own
    }

    pub(super) fn take_root_of(&self, other: &Self) {
        self.root.set(other.root.get());
    }

    pub(super) fn set_root(&self, filter: RootFilter) {
        self.root.set(filter);
    }

    /// Returns what to request for a folder; `None` while that is unknown for the root folder.
    /// Irrelevant to a search.
    pub(super) fn scope(&self, of: &Collection) -> Option<ListScope> {
        match self.root.get() {
            _ if !of.is_folder(None) => Some(ListScope::Folder),
            RootFilter::Honored => Some(ListScope::Folder),
            RootFilter::Ignored => Some(ListScope::Everything),
            RootFilter::Untried => None,
        }
    }

    pub(super) fn start(&self, of: &Collection) {
        let mut given = self.lock();
        if given.len() >= REMEMBERED * 2 {
            given.clear();
        }
        for stage in [Stage::Folders, Stage::Files] {
            given.remove(&(ListKey::of(of), stage));
            self.empty().remove(&(ListKey::of(of), stage));
        }
    }

    /// Removes the entries that were returned before, and remembers the others.
    pub(super) fn keep_new(&self, of: &Collection, stage: Stage, entries: &mut Vec<Entry>) {
        let mut given = self.lock();
        let given = given.entry((ListKey::of(of), stage)).or_default();
        entries.retain(|entry| given.insert(entry.id().to_owned()));
    }

    /// Notes whether a page was empty although the list continues; returns the number of such pages
    /// in a row.
    pub(super) fn count_empty(&self, of: &Collection, stage: Stage, is_empty: bool) -> u32 {
        let mut empty = self.empty();
        if !is_empty {
            empty.remove(&(ListKey::of(of), stage));
            return 0;
        }
        let count = empty.entry((ListKey::of(of), stage)).or_default();
        *count += 1;
        *count
    }

    fn empty(&self) -> MutexGuard<'_, HashMap<(ListKey, Stage), u32>> {
        self.empty.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, SeenIds> {
        self.given.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
