//! The memory of one account's listings from page to page: how to request the root folder, and the
//! pagers.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::entry_pager::EntryPager;
use super::root::{RootFilter, RootMemory};
use crate::api::ids::FolderId;
use crate::engine::message::{Collection, Stage};

/// The collections whose pagers are kept. One more forgets all, which matters only past offset
/// 10,000.
const REMEMBERED: usize = 16;

#[derive(Debug, Default)]
pub struct ListMemory {
    root: RootMemory,
    /// By collection and stage; removed with the first page.
    pagers: Mutex<HashMap<(ListKey, Stage), EntryPager>>,
}

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
        let mut pagers = self.pagers();
        if pagers.len() >= REMEMBERED * 2 {
            pagers.clear();
        }
        for stage in [Stage::Folders, Stage::Files] {
            pagers.remove(&(ListKey::of(of), stage));
        }
    }

    /// Returns the pager that knows the earlier pages.
    pub(super) fn take(&self, of: &Collection, stage: Stage) -> Option<EntryPager> {
        self.pagers().remove(&(ListKey::of(of), stage))
    }

    /// Keeps a pager for the next page, unless it is at the end.
    pub(super) fn keep(&self, of: &Collection, pager: EntryPager) {
        if pager.position().is_some() {
            let key = (ListKey::of(of), pager.stage());
            self.pagers().insert(key, pager);
        }
    }

    fn pagers(&self) -> MutexGuard<'_, HashMap<(ListKey, Stage), EntryPager>> {
        self.pagers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
