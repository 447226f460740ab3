//! The amounts of work that wait in the store. Each figure is read from an index; nothing walks the
//! rows of files.

use jiff::{SignedDuration, Timestamp};

use super::database::Store;
use super::error::StoreError;
use super::files::oldest_remains;
use super::records::{TaskCounts, TaskKind};

#[derive(Debug)]
pub(crate) struct StoreFigures {
    pub(crate) tasks: [(TaskKind, TaskCounts); 2],
    /// The age of the oldest unused bytes that still exist.
    pub(crate) unused_blobs: SignedDuration,
    /// The delay of the oldest file that should have expired.
    pub(crate) expiry: SignedDuration,
    /// The age of the oldest remains that are still to be erased.
    pub(crate) erasure: SignedDuration,
}

impl Store {
    pub(crate) async fn figures(&self, now: Timestamp) -> Result<StoreFigures, StoreError> {
        let age = move |since: Option<Timestamp>| {
            since.map_or(SignedDuration::ZERO, |since| {
                now.duration_since(since).max(SignedDuration::ZERO)
            })
        };
        self.read(move |tables| {
            let [import, update] = [TaskKind::Import, TaskKind::FolderUpdate];
            Ok(StoreFigures {
                tasks: [
                    (import, tables.count_tasks(import)?),
                    (update, tables.count_tasks(update)?),
                ],
                unused_blobs: age(tables.oldest_unused_blob()?),
                expiry: age(tables.next_expiry()?),
                erasure: age(oldest_remains(tables)?),
            })
        })
        .await
    }
}
