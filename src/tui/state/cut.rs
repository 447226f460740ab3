//! What was cut and waits to be pasted into another folder.

use std::collections::BTreeSet;

use crate::engine::Item;
use crate::engine::message::Target;

/// Files and folders cut from one folder.
#[derive(Debug, Clone, PartialEq)]
pub struct Cut {
    pub items: Vec<Item>,
}

impl Cut {
    pub fn holds(&self, target: &Target) -> bool {
        self.items.iter().any(|item| item.target == *target)
    }

    pub fn targets(&self) -> BTreeSet<Target> {
        self.items.iter().map(|item| item.target.clone()).collect()
    }
}
