//! How much runs at once: a queue for each kind of request, so that a long upload never holds back a listing.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::job::Lane;
use super::message::Request;

const READS: usize = 8;
const EDITS: usize = 4;
const UPLOADS: usize = 3;
const DOWNLOADS: usize = 3;

/// The places of each kind. Clones share them.
#[derive(Debug, Clone)]
pub(super) struct Lanes {
    reads: Arc<Semaphore>,
    edits: Arc<Semaphore>,
    uploads: Arc<Semaphore>,
    downloads: Arc<Semaphore>,
}

impl Lanes {
    pub(super) fn new() -> Self {
        let places = |count| Arc::new(Semaphore::new(count));
        Self { reads: places(READS), edits: places(EDITS), uploads: places(UPLOADS), downloads: places(DOWNLOADS) }
    }

    /// Waits for a place, first come, first served; it is given back when the result is dropped.
    pub(super) async fn enter(&self, request: &Request) -> Option<OwnedSemaphorePermit> {
        let places = match request {
            Request::Job(job) => match job.lane() {
                Lane::Edit => &self.edits,
                Lane::Upload => &self.uploads,
                Lane::Download => &self.downloads,
                Lane::Free => return None,
            },
            Request::List { .. }
            | Request::ListAll { .. }
            | Request::Look { .. }
            | Request::Folders { .. }
            | Request::Locate { .. }
            | Request::Details { .. }
            | Request::Sign { .. }
            | Request::Limits
            | Request::Associations { .. } => &self.reads,
            // These never leave this machine.
            Request::LocalNames { .. } | Request::Unfinished => return None,
        };
        // The semaphores are never closed.
        places.clone().acquire_owned().await.ok()
    }
}
