//! What was cut and waits to be pasted into another folder.

use std::collections::{BTreeMap, BTreeSet};

use crate::engine::Item;
use crate::engine::message::{FolderRef, Target};

/// Files and folders that were cut.
#[derive(Debug, Clone, PartialEq)]
pub struct Cut {
    pub items: Vec<Item>,
    /// The folder that each of them is in.
    pub origins: BTreeMap<Target, FolderRef>,
}

impl Cut {
    pub fn new(items: impl IntoIterator<Item = (Item, FolderRef)>) -> Self {
        let (items, origins) = items.into_iter().map(|(item, from)| (item.clone(), (item.target, from))).unzip();
        Self { items, origins }
    }

    pub fn holds(&self, target: &Target) -> bool {
        self.origins.contains_key(target)
    }

    /// What is left of it without what is gone; none if that is nothing.
    pub fn without(mut self, gone: &BTreeSet<Target>) -> Option<Self> {
        self.items.retain(|item| !gone.contains(&item.target));
        self.origins.retain(|target, _| !gone.contains(target));
        (!self.items.is_empty()).then_some(self)
    }
}
