//! Limits how many reads run at once; changes and transfers have the queue.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

const READS: usize = 8;
/// Room for one preview, and for a cancelled one on its way out.
const PREVIEWS: usize = 2;

/// The pool in which a read needs a place.
#[derive(Clone, Copy)]
pub(super) enum ReadPool {
    Reads,
    Previews,
    Local,
}

#[derive(Debug)]
pub(super) struct ReadPools {
    reads: Arc<Semaphore>,
    /// Separate, so that nothing waits for a preview.
    previews: Arc<Semaphore>,
}

impl ReadPools {
    pub(super) fn new() -> Self {
        Self {
            reads: Arc::new(Semaphore::new(READS)),
            previews: Arc::new(Semaphore::new(PREVIEWS)),
        }
    }

    /// Returns the places of a pool; `None` for requests that never leave this machine.
    pub(super) fn places(&self, pool: ReadPool) -> Option<Arc<Semaphore>> {
        match pool {
            ReadPool::Reads => Some(self.reads.clone()),
            ReadPool::Previews => Some(self.previews.clone()),
            ReadPool::Local => None,
        }
    }
}

/// Waits for a place, first come, first served. Dropping the permit gives it back.
pub(super) async fn enter(pool: Option<Arc<Semaphore>>) -> Option<OwnedSemaphorePermit> {
    // The semaphores are never closed.
    pool?.acquire_owned().await.ok()
}
