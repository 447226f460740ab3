//! How much runs at once: a queue for each kind of request, so that a long upload never holds back a listing.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::message::Request;

const READS: usize = 8;
const EDITS: usize = 4;
const UPLOADS: usize = 3;
const DOWNLOADS: usize = 3;

/// What a request keeps busy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Read,
    Edit,
    Upload,
    Download,
    /// Mostly waits between two polls, or never leaves this machine: as many as are asked for.
    Free,
}

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
        let places = match kind(request) {
            Kind::Read => &self.reads,
            Kind::Edit => &self.edits,
            Kind::Upload => &self.uploads,
            Kind::Download => &self.downloads,
            Kind::Free => return None,
        };
        // The semaphores are never closed.
        places.clone().acquire_owned().await.ok()
    }
}

fn kind(request: &Request) -> Kind {
    match request {
        Request::List { .. }
        | Request::Folders { .. }
        | Request::Locate { .. }
        | Request::Details { .. }
        | Request::Sign { .. }
        | Request::Limits
        | Request::Associations { .. } => Kind::Read,
        Request::CreateFolder { .. } | Request::UpdateFiles { .. } | Request::Delete { .. } => Kind::Edit,
        Request::Upload { .. } => Kind::Upload,
        Request::Download { .. } => Kind::Download,
        Request::Import { .. }
        | Request::WatchImport { .. }
        | Request::UpdateFolder { .. }
        | Request::WatchFolderUpdate { .. }
        | Request::LocalNames { .. }
        | Request::Unfinished => Kind::Free,
    }
}
