//! The root folder has no id, so nothing can ask for its contents outright: which way of asking works is found out once
//! a session (`wire.md` §3).

use std::sync::atomic::{AtomicU8, Ordering};

use crate::api::ids::FolderId;
use crate::api::paths::split;

/// What a parent filter of 0 gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RootFilter {
    /// Not known yet.
    Untried,
    /// What is in the root folder.
    Honoured,
    /// Something else: everything is searched, and what lies deeper is left out.
    Ignored,
}

/// Remembers what the filter gives; shared by all listings of an account.
#[derive(Debug, Default)]
pub struct RootMemory(AtomicU8);

impl RootMemory {
    pub fn get(&self) -> RootFilter {
        match self.0.load(Ordering::Relaxed) {
            0 => RootFilter::Untried,
            1 => RootFilter::Honoured,
            _ => RootFilter::Ignored,
        }
    }

    pub fn set(&self, filter: RootFilter) {
        let value = match filter {
            RootFilter::Untried => 0,
            RootFilter::Honoured => 1,
            RootFilter::Ignored => 2,
        };
        self.0.store(value, Ordering::Relaxed);
    }
}

/// The id that stands for the root folder, in filters and as a parent (`wire.md` §3, §6).
pub fn stand_in() -> FolderId {
    FolderId::new("0")
}

/// Whether something with this parent and path lies directly in the root folder.
pub fn holds(parent: Option<&FolderId>, path: Option<&str>) -> bool {
    parent.is_none_or(|id| id.as_str() == "0") && path.is_none_or(|path| split(path).count() <= 1)
}
