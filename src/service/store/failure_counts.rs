//! Counts of database failures. A refusal that the rules call for is no failure.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::service::store::error::StoreError;

#[derive(Debug, Clone, Copy)]
pub(crate) struct DatabaseFailures {
    pub(crate) reads: u64,
    pub(crate) changes: u64,
}

#[derive(Debug, Default)]
pub(super) struct FailureCounts {
    reads: AtomicU64,
    changes: AtomicU64,
}

impl FailureCounts {
    pub(super) fn note_read<T>(&self, result: &Result<T, StoreError>) {
        note(&self.reads, result);
    }

    pub(super) fn note_change<T>(&self, result: &Result<T, StoreError>) {
        note(&self.changes, result);
    }

    pub(super) fn now(&self) -> DatabaseFailures {
        let [reads, changes] =
            [&self.reads, &self.changes].map(|count| count.load(Ordering::Relaxed));
        DatabaseFailures { reads, changes }
    }
}

fn note<T>(count: &AtomicU64, result: &Result<T, StoreError>) {
    if result.as_ref().is_err_and(|error| !error.is_refusal()) {
        count.fetch_add(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use crate::service::store::query_plans;
    use crate::service::store::{CommonFilter, FileFilter, Window};

    // Searches do not go through `Store::read`, so they are counted separately.
    #[tokio::test]
    async fn searches_are_reads() {
        let (_dir, store) = query_plans::store().await;
        store.close().await;
        let window = Window {
            limit: 1,
            offset: 0,
        };
        let files = store
            .search_files(&FileFilter::default(), &[], window, Timestamp::UNIX_EPOCH)
            .await;
        let folders = store
            .search_folders(&CommonFilter::default(), &[], window)
            .await;
        assert!(files.is_err() && folders.is_err() && store.next_expiry().await.is_err());
        assert_eq!((store.failures().reads, store.failures().changes), (3, 0));
    }
}
