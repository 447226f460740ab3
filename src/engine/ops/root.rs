//! Finds out, once a session, how to request the contents of the root folder, which has no id
//! (`contract.md#search`).

use std::sync::atomic::{AtomicU8, Ordering};

/// The effect of a parent filter of 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RootFilter {
    Untried,
    /// The contents of the root folder.
    Honored,
    /// Something else: everything is searched, and what lies deeper is left out.
    Ignored,
}

/// Remembers the effect of the filter; shared by all listings of an account.
#[derive(Debug, Default)]
pub struct RootMemory(AtomicU8);

impl RootMemory {
    pub fn get(&self) -> RootFilter {
        match self.0.load(Ordering::Relaxed) {
            0 => RootFilter::Untried,
            1 => RootFilter::Honored,
            _ => RootFilter::Ignored,
        }
    }

    pub fn set(&self, filter: RootFilter) {
        let value = match filter {
            RootFilter::Untried => 0,
            RootFilter::Honored => 1,
            RootFilter::Ignored => 2,
        };
        self.0.store(value, Ordering::Relaxed);
    }
}
