//! How much is waiting in the store. Each figure is read off an index; nothing walks the rows of files.

use jiff::{SignedDuration, Timestamp};

use super::database::Store;
use super::error::StoreError;
use super::files::oldest_remains;
use super::records::{TaskCounts, TaskKind};

/// What waits, and for how long it has.
#[derive(Debug)]
pub(crate) struct StoreFigures {
    pub(crate) tasks: [(TaskKind, TaskCounts); 2],
    /// Since the oldest bytes are unused that are still there.
    pub(crate) unused_blobs: SignedDuration,
    /// Since the oldest file should have expired that has not.
    pub(crate) expiry: SignedDuration,
    /// Since the oldest remains are to be erased that are still there.
    pub(crate) erasure: SignedDuration,
}

impl Store {
    pub(crate) async fn figures(&self, now: Timestamp) -> Result<StoreFigures, StoreError> {
        let age = move |since: Option<Timestamp>| {
            since.map_or(SignedDuration::ZERO, |since| now.duration_since(since).max(SignedDuration::ZERO))
        };
        self.read(move |tables| {
            let [import, update] = [TaskKind::Import, TaskKind::FolderUpdate];
            Ok(StoreFigures {
                tasks: [(import, tables.count_tasks(import)?), (update, tables.count_tasks(update)?)],
                unused_blobs: age(tables.oldest_unused_blob()?),
                expiry: age(tables.next_expiry()?),
                erasure: age(oldest_remains(tables)?),
            })
        })
        .await
    }
}
