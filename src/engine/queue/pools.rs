//! Limits how many jobs run at once, pool by pool, so that a long upload never holds back a
//! deletion, nor a thousand deletions the one that a person waits for.

use std::num::NonZeroUsize;
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::engine::job::Pool;

/// The most jobs of a batch that a person waits for.
const FEW: usize = 8;

/// The number of jobs that may run at once, by pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AtOnce {
    edits: usize,
    bulk: usize,
    uploads: usize,
    downloads: usize,
    watches: usize,
}

impl Default for AtOnce {
    fn default() -> Self {
        Self {
            edits: 4,
            bulk: 3,
            uploads: 3,
            downloads: 3,
            watches: 32,
        }
    }
}

impl AtOnce {
    /// Allows this many, whatever they do.
    pub fn of(count: NonZeroUsize) -> Self {
        let count = count.get();
        Self {
            edits: count,
            bulk: count,
            uploads: count,
            downloads: count,
            watches: count,
        }
    }
}

/// Returns `true` if nobody waits for a batch of this many jobs.
pub(super) fn is_bulk(count: usize) -> bool {
    count > FEW
}

#[derive(Debug)]
pub(super) struct Pools {
    edits: Arc<Semaphore>,
    bulk: Arc<Semaphore>,
    uploads: Arc<Semaphore>,
    downloads: Arc<Semaphore>,
    watches: Arc<Semaphore>,
}

impl Pools {
    pub(super) fn new(at_once: AtOnce) -> Self {
        let places = |count| Arc::new(Semaphore::new(count));
        Self {
            edits: places(at_once.edits),
            bulk: places(at_once.bulk),
            uploads: places(at_once.uploads),
            downloads: places(at_once.downloads),
            watches: places(at_once.watches),
        }
    }

    /// Takes a place, if one is free; dropping it gives it back.
    pub(super) fn take(&self, pool: Pool, bulk: bool) -> Option<OwnedSemaphorePermit> {
        let places = match (pool, bulk) {
            (Pool::Edit, false) => &self.edits,
            (Pool::Edit, true) => &self.bulk,
            (Pool::Upload, _) => &self.uploads,
            (Pool::Download, _) => &self.downloads,
            (Pool::Watch, _) => &self.watches,
        };
        places.clone().try_acquire_owned().ok()
    }
}
