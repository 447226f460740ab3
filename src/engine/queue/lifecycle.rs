//! The two ends of a queue: it first takes over what earlier runs left, and at last leaves running
//! work in order.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use super::active_batch::ActiveBatch;
use super::mode::QueueMode;
use super::scheduler::Scheduler;
use crate::engine::batch::BatchId;
use crate::engine::journal::Journal;
use crate::engine::ops::local_place::folder_of;
use crate::engine::ops::partial_file;

/// The time that running changes get to end when the queue stops.
const GRACE: Duration = Duration::from_millis(2_500);

impl Scheduler {
    /// Takes over what earlier runs left; a script only forgets what is old.
    pub(super) async fn take_over_batches(&mut self) {
        if self.mode == QueueMode::Script {
            return Journal::log_failure(self.tools.journal.forget_old().await);
        }
        match self.tools.journal.take_over(self.read_only).await {
            Ok(kept) => {
                self.batches = kept
                    .into_iter()
                    .map(|kept| (kept.id, ActiveBatch::of(kept)))
                    .collect();
                self.dirty = !self.batches.is_empty();
                self.sweep().await;
                // The last job of a batch may have ended when its run was cut short.
                let over: Vec<BatchId> = self
                    .batches
                    .values()
                    .filter(|live| live.is_over())
                    .map(|live| live.id)
                    .collect();
                for id in over {
                    self.end(id).await;
                }
            }
            Err(error) => tracing::error!(%error, "what earlier runs left cannot be read"),
        }
    }

    /// Removes the part files that downloads of ended runs have left.
    async fn sweep(&self) {
        match self.tools.journal.download_places().await {
            Ok(places) => {
                let folder =
                    |(into, name): &(PathBuf, Option<String>)| folder_of(into, name.as_deref());
                let folders: BTreeSet<PathBuf> = places.iter().map(folder).collect();
                let swept = tokio::task::spawn_blocking(move || {
                    for folder in &folders {
                        partial_file::sweep(folder);
                    }
                });
                // The next download into the folder removes what is left.
                let _ = swept.await;
            }
            Err(error) => {
                tracing::warn!(%error, "the folders of downloads that were cut short cannot be read");
            }
        }
    }

    /// Lets running changes end, and records their results. Other running jobs are in doubt, jobs
    /// not started are not.
    pub(super) async fn close(&mut self) {
        let deadline = Instant::now() + GRACE;
        // What has not ended by then is aborted with the set.
        while let Ok(Some(ended)) = timeout_at(deadline, self.working.join_next_with_id()).await {
            self.ended(ended).await;
        }
        let ids: Vec<BatchId> = self.batches.keys().copied().collect();
        for id in ids {
            Journal::log_failure(self.write(id).await);
            let Some(live) = self.batches.get(&id) else {
                continue;
            };
            let untouched = live.chunk.iter().filter(|entry| !entry.in_doubt);
            let untouched: Vec<u32> = untouched.map(|entry| entry.number).collect();
            if !untouched.is_empty() {
                Journal::log_failure(self.tools.journal.put_back(id, &untouched).await);
            }
        }
    }
}
