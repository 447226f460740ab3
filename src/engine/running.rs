//! How many reads run at once: changes and transfers have the queue.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::message::Request;

const READS: usize = 8;

/// The places of reads. Clones share them.
#[derive(Debug, Clone)]
pub(super) struct Lanes {
    reads: Arc<Semaphore>,
}

impl Lanes {
    pub(super) fn new() -> Self {
        Self { reads: Arc::new(Semaphore::new(READS)) }
    }

    /// Waits for a place, first come, first served; it is given back when the result is dropped.
    pub(super) async fn enter(&self, request: &Request) -> Option<OwnedSemaphorePermit> {
        // These never leave this machine.
        if matches!(request, Request::LocalNames { .. }) {
            return None;
        }
        // The semaphore is never closed.
        self.reads.clone().acquire_owned().await.ok()
    }
}
