//! Limits how many reads run at once; changes and transfers have the queue.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::question::Request;

const READS: usize = 8;
/// Room for one preview, and for a cancelled one on its way out.
const PREVIEWS: usize = 2;

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

    /// Returns the pool in which a request needs a place; `None` if it never leaves this machine.
    pub(super) fn pool_of(&self, request: &Request) -> Option<Arc<Semaphore>> {
        match request {
            Request::ListLocalFolder(_)
            | Request::SumLocalFile(_)
            | Request::ReadAddresses(_)
            | Request::CheckLocalFile(_)
            | Request::SaveSnapshot(_)
            | Request::ListDeletions(_)
            | Request::ListDeletedWith(_)
            | Request::ListUnsavedEdits(_)
            | Request::ClearThumbnails(_)
            | Request::TakeText(_)
            | Request::WriteExport(_) => None,
            Request::GetPreview(_) => Some(self.previews.clone()),
            _ => Some(self.reads.clone()),
        }
    }
}

/// Waits for a place, first come, first served. Dropping the permit gives it back.
pub(super) async fn enter(pool: Option<Arc<Semaphore>>) -> Option<OwnedSemaphorePermit> {
    // The semaphores are never closed.
    pool?.acquire_owned().await.ok()
}
