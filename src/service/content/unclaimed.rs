//! Bounds how many blobs are whole before the row that names them is durable, those included of which nobody knows
//! whether a row does.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::service::policy;

/// Nobody is let in any more: the next start finds out what became of these blobs.
#[derive(Debug, thiserror::Error)]
#[error("whether earlier uploads were stored is not known of too many; restart the service, which looks")]
pub(crate) struct AllInDoubt;

/// Cheap to clone; clones share the bound.
#[derive(Debug, Clone)]
pub(crate) struct Unclaimed {
    places: Arc<Semaphore>,
    in_doubt: Arc<AtomicUsize>,
}

impl Unclaimed {
    pub(crate) fn new() -> Self {
        Self { places: Arc::new(Semaphore::new(policy::MAX_UNCLAIMED_BLOBS)), in_doubt: Arc::default() }
    }

    /// Waits for a place. Fails where all are taken for good.
    pub(crate) async fn admit(&self) -> Result<Place, AllInDoubt> {
        let permit = self.places.clone().acquire_owned().await.map_err(|_| AllInDoubt)?;
        Ok(Place { permit, unclaimed: self.clone() })
    }
}

/// The place of one blob, free again when this is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    permit: OwnedSemaphorePermit,
    unclaimed: Unclaimed,
}

impl Place {
    /// Takes the place for good: the blob stays, and whether a row names it is not known.
    pub(crate) fn leave_in_doubt(self) {
        self.permit.forget();
        if self.unclaimed.in_doubt.fetch_add(1, Ordering::Relaxed) + 1 == policy::MAX_UNCLAIMED_BLOBS {
            tracing::error!("{AllInDoubt}");
            self.unclaimed.places.close();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    // Seen to fail when the last place in doubt does not end the waiting.
    #[tokio::test(start_paused = true)]
    async fn what_is_in_doubt_keeps_its_place_and_once_all_are_nobody_waits() {
        let unclaimed = Unclaimed::new();
        let mut places = Vec::new();
        for _ in 0..policy::MAX_UNCLAIMED_BLOBS {
            places.push(unclaimed.admit().await.unwrap());
        }
        let last = places.pop().unwrap();
        places.into_iter().for_each(Place::leave_in_doubt);
        let next = unclaimed.admit();
        tokio::pin!(next);
        assert!(tokio::time::timeout(Duration::from_secs(1), &mut next).await.is_err());
        last.leave_in_doubt();
        let refused = tokio::time::timeout(Duration::from_secs(1), next).await.unwrap();
        assert!(refused.is_err() && unclaimed.admit().await.is_err());
    }
}
