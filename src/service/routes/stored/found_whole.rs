//! Blobs that were found whole a moment ago. They never change, so the next part of one, as players of video ask for
//! many, needs no new look at all of it.

use std::num::NonZeroUsize;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use lru::LruCache;
use tokio::time::Instant;

use crate::service::blobs::BlobId;
use crate::service::policy;

const REMEMBERED: NonZeroUsize = NonZeroUsize::new(64).unwrap();

/// When each was found whole. Ids of blobs are random, so services in one process can share this.
static FOUND: LazyLock<Mutex<LruCache<BlobId, Instant>>> = LazyLock::new(|| Mutex::new(LruCache::new(REMEMBERED)));

pub(super) fn remember(blob: &BlobId) {
    found().put(blob.clone(), Instant::now());
}

/// Whether it was found whole so short a time ago that it counts as whole.
pub(super) fn is_remembered(blob: &BlobId) -> bool {
    found().get(blob).is_some_and(|at| at.elapsed() < policy::CHECK_HOLDS_FOR)
}

fn found() -> MutexGuard<'static, LruCache<BlobId, Instant>> {
    FOUND.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_check_holds_for_a_while_and_for_its_blob_only() {
        let [checked, other] = ["a", "b"].map(|id| BlobId::from_stored(format!("{id}-of-this-test")));
        remember(&checked);
        tokio::time::advance(policy::CHECK_HOLDS_FOR.saturating_sub(Duration::from_millis(1))).await;
        assert!(is_remembered(&checked) && !is_remembered(&other));
        tokio::time::advance(Duration::from_millis(1)).await;
        assert!(!is_remembered(&checked));
    }
}
