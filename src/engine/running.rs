//! How many reads run at once: changes and transfers have the queue.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::message::Request;

const READS: usize = 8;
/// One, and one that was cancelled and is on its way out.
const PREVIEWS: usize = 2;

/// The places of reads. Clones share them.
#[derive(Debug, Clone)]
pub(super) struct ReadPools {
    reads: Arc<Semaphore>,
    /// A lane of their own: nothing waits behind what is merely looked at.
    previews: Arc<Semaphore>,
}

impl ReadPools {
    pub(super) fn new() -> Self {
        Self { reads: Arc::new(Semaphore::new(READS)), previews: Arc::new(Semaphore::new(PREVIEWS)) }
    }

    /// Waits for a place, first come, first served; it is given back when the result is dropped.
    pub(super) async fn enter(&self, request: &Request) -> Option<OwnedSemaphorePermit> {
        let pool = match request {
            // These never leave this machine.
            Request::LocalNames { .. }
            | Request::LocalFile { .. }
            | Request::Remember(_)
            | Request::Deletions
            | Request::DeletedWith(_)
            | Request::Export { .. } => return None,
            Request::Preview { .. } => &self.previews,
            _ => &self.reads,
        };
        // The semaphores are never closed.
        pool.clone().acquire_owned().await.ok()
    }
}
