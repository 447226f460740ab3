//! What listings of one account remember from page to page: how the root folder is asked for, and what was given.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::root::{RootFilter, RootMemory};
use crate::api::ids::FolderId;
use crate::engine::message::{Entry, Place, Stage};

/// Folders whose given ids are remembered; opening more forgets the others, which only matters past offset 10,000.
const REMEMBERED: usize = 16;

/// What listings of one account remember from page to page.
#[derive(Debug, Default)]
pub struct ListMemory {
    root: RootMemory,
    /// Ids given so far, for each folder and stage; started anew with the first page.
    given: Mutex<Given>,
}

type Given = HashMap<(Option<FolderId>, Stage), HashSet<String>>;

/// Whether the service is asked for the folder's contents, or for everything.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    Folder,
    Everything,
}

impl ListMemory {
    /// A memory of its own for another read of the same account: it does not disturb the listings.
    pub(super) fn with_root_of(other: &Self) -> Self {
        let own = Self::default();
        own.take_root_of(other);
        own
    }

    /// What was found out of the root folder.
    pub(super) fn take_root_of(&self, other: &Self) {
        self.root.set(other.root.get());
    }

    pub(super) fn set_root(&self, filter: RootFilter) {
        self.root.set(filter);
    }

    /// What to ask for to get a folder's contents; none while that is not known of the root folder.
    pub(super) fn scope(&self, place: &Place) -> Option<Scope> {
        match self.root.get() {
            _ if !place.is_root() => Some(Scope::Folder),
            RootFilter::Honoured => Some(Scope::Folder),
            RootFilter::Ignored => Some(Scope::Everything),
            RootFilter::Untried => None,
        }
    }

    pub(super) fn start(&self, place: &Place) {
        let mut given = self.lock();
        if given.len() >= REMEMBERED * 2 {
            given.clear();
        }
        for stage in [Stage::Folders, Stage::Files] {
            given.remove(&(place.id.clone(), stage));
        }
    }

    /// Leaves those out that were given before, and remembers the others.
    pub(super) fn keep_new(&self, place: &Place, stage: Stage, entries: &mut Vec<Entry>) {
        let mut given = self.lock();
        let given = given.entry((place.id.clone(), stage)).or_default();
        entries.retain(|entry| given.insert(entry.id().to_owned()));
    }

    fn lock(&self) -> MutexGuard<'_, Given> {
        self.given.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
