//! Fills the name index in the background and keeps its segments few, chunk by chunk in a task of
//! its own, so that other changes can come in between.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use tokio::sync::mpsc;

use super::failure::is_damage;
use super::group::GroupCommit;
use super::name_index::{LEAST, empty, fill_chunk, merge_some};
use super::presence::Presence;
use crate::service::store::error::StoreError;

/// Sends requests to the task that fills the index. Cheap to clone; the task ends with the last
/// clone.
#[derive(Debug, Clone)]
pub(super) struct NameIndexer {
    wishes: mpsc::Sender<IndexerCommand>,
    /// The number of changes since the last request to fill.
    changes: Arc<AtomicU32>,
}

#[derive(Debug)]
enum IndexerCommand {
    Fill,
    /// The index is damaged.
    Anew,
}

impl NameIndexer {
    pub(super) fn start(writer: GroupCommit, presence: Presence) -> Self {
        let (sender, wishes) = mpsc::channel(1);
        tokio::spawn(
            Filling {
                writer,
                presence,
                wishes,
            }
            .run(),
        );
        Self {
            wishes: sender,
            changes: Arc::default(),
        }
    }

    /// Requests that waiting names be indexed, if there are enough.
    pub(super) fn fill(&self) {
        // An earlier request in the queue serves this one, too.
        let _ = self.wishes.try_send(IndexerCommand::Fill);
    }

    /// Requests a fill once there were enough changes to be worth a commit.
    pub(super) fn note_change(&self) {
        if self.changes.fetch_add(1, Ordering::Relaxed) + 1 >= LEAST {
            self.changes.store(0, Ordering::Relaxed);
            self.fill();
        }
    }

    /// Requests a new index if a failure of it, which left the rest of the database usable, shows
    /// damage.
    pub(super) fn mend(&self, error: &StoreError) {
        tracing::warn!(%error, cause = ?std::error::Error::source(error), "the index of names failed; a search goes without it");
        if is_damage(error) {
            // If the queue is full, the next search that meets the damage requests it again.
            let _ = self.wishes.try_send(IndexerCommand::Anew);
        }
    }
}

struct Filling {
    writer: GroupCommit,
    presence: Presence,
    wishes: mpsc::Receiver<IndexerCommand>,
}

impl Filling {
    async fn run(mut self) {
        while let Some(command) = self.wishes.recv().await {
            let filled = match command {
                IndexerCommand::Fill => self.fill().await,
                IndexerCommand::Anew => self.anew().await,
            };
            let filled = match filled {
                Err(error) if is_damage(&error) => self.anew().await,
                filled => filled,
            };
            match filled {
                // The service is stopping; the next start continues.
                Ok(()) | Err(StoreError::Closed | StoreError::Unanswered(_)) => {}
                Err(error) => {
                    tracing::warn!(%error, cause = ?std::error::Error::source(&error), "the index of names is not filled or merged; searches take longer");
                }
            }
        }
    }

    async fn fill(&self) -> Result<(), StoreError> {
        // Stops once the store is closed.
        while !self.wishes.is_closed()
            && (self.writer.alone(fill_chunk).await? || self.writer.alone(merge_some).await?)
        {
            // SQLite may have moved the log into the file after the commit, and no other check may
            // come for long.
            self.presence.holds();
        }
        Ok(())
    }

    async fn anew(&self) -> Result<(), StoreError> {
        self.writer.alone(empty).await?;
        self.fill().await
    }
}
