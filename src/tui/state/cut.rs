//! What was cut and waits to be pasted into another folder.

use std::collections::BTreeSet;

use crate::engine::Item;
use crate::engine::message::Target;

/// Files and folders cut from one folder.
#[derive(Debug, Clone, PartialEq)]
pub struct Cut {
    pub items: Vec<Item>,
    targets: BTreeSet<Target>,
}

impl Cut {
    pub fn new(items: Vec<Item>) -> Self {
        let targets = items.iter().map(|item| item.target.clone()).collect();
        Self { items, targets }
    }

    pub fn holds(&self, target: &Target) -> bool {
        self.targets.contains(target)
    }

    /// What is left of it without what is gone; none if that is nothing.
    pub fn without(self, gone: &BTreeSet<Target>) -> Option<Self> {
        let items: Vec<Item> = self.items.into_iter().filter(|item| !gone.contains(&item.target)).collect();
        (!items.is_empty()).then(|| Self::new(items))
    }
}
