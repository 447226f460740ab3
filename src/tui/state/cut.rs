//! The entries that were cut and wait to be pasted into another folder.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use crate::engine::Item;
use crate::engine::message::{FolderRef, Target};

#[derive(Debug, Clone, PartialEq)]
pub struct Cut {
    pub items: Vec<Item>,
    pub origins: BTreeMap<Target, CutOrigin>,
}

/// The state of an entry when it was cut.
#[derive(Debug, Clone, PartialEq)]
pub struct CutOrigin {
    /// Its folder; without an id if that is not known.
    pub folder: FolderRef,
    /// Its modification time; `None` if it is not known.
    pub updated: Option<Timestamp>,
}

impl Cut {
    pub fn new(items: impl IntoIterator<Item = (Item, CutOrigin)>) -> Self {
        let (items, origins) = items
            .into_iter()
            .map(|(item, from)| (item.clone(), (item.target, from)))
            .unzip();
        Self { items, origins }
    }

    pub fn holds(&self, target: &Target) -> bool {
        self.origins.contains_key(target)
    }

    /// Removes entries that no longer exist; returns `None` if nothing is left.
    pub fn without(mut self, gone: &BTreeSet<Target>) -> Option<Self> {
        self.items.retain(|item| !gone.contains(&item.target));
        self.origins.retain(|target, _| !gone.contains(target));
        (!self.items.is_empty()).then_some(self)
    }
}
