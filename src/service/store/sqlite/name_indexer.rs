//! Fills the index of names behind the changes and keeps it in few segments, in a task of its own, chunk by chunk: other
//! changes come in between.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use tokio::sync::mpsc;

use super::failure::is_damage;
use super::group::GroupCommit;
use super::name_index::{LEAST, empty, fill_chunk, merge_some};
use super::presence::Presence;
use crate::service::store::error::StoreError;

/// Takes wishes to the one task that fills. Cheap to clone; the task ends with the last clone.
#[derive(Debug, Clone)]
pub(super) struct NameIndexer {
    wishes: mpsc::Sender<IndexerCommand>,
    /// Since the last wish to fill.
    changes: Arc<AtomicU32>,
}

#[derive(Debug)]
enum IndexerCommand {
    Fill,
    /// What is there is of no use.
    Anew,
}

impl NameIndexer {
    /// Starts the task that fills.
    pub(super) fn start(writer: GroupCommit, presence: Presence) -> Self {
        let (sender, wishes) = mpsc::channel(1);
        tokio::spawn(Filling { writer, presence, wishes }.run());
        Self { wishes: sender, changes: Arc::default() }
    }

    /// Has the names filled in that wait for it, if they are many.
    pub(super) fn fill(&self) {
        // Who has wished before wished for the same.
        let _ = self.wishes.try_send(IndexerCommand::Fill);
    }

    /// Has names filled in once so many changes were made that it may be worth a commit.
    pub(super) fn note_change(&self) {
        if self.changes.fetch_add(1, Ordering::Relaxed) + 1 >= LEAST {
            self.changes.store(0, Ordering::Relaxed);
            self.fill();
        }
    }

    /// Has the index made again after it failed where the rest of the database did not, if it is damaged.
    pub(super) fn mend(&self, error: &StoreError) {
        tracing::warn!(%error, cause = ?std::error::Error::source(error), "the index of names failed; a search goes without it");
        if is_damage(error) {
            // Whoever meets the damage next wishes again.
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
                // The service ends; the next start continues.
                Ok(()) | Err(StoreError::Closed | StoreError::Unanswered(_)) => {}
                Err(error) => {
                    tracing::warn!(%error, cause = ?std::error::Error::source(&error), "the index of names is not filled or merged; searches take longer");
                }
            }
        }
    }

    async fn fill(&self) -> Result<(), StoreError> {
        // Without a store there is nobody to fill it for.
        while !self.wishes.is_closed()
            && (self.writer.alone(fill_chunk).await? || self.writer.alone(merge_some).await?)
        {
            // SQLite may have moved the log into the file after the commit, and nobody else may look for long.
            self.presence.holds();
        }
        Ok(())
    }

    async fn anew(&self) -> Result<(), StoreError> {
        self.writer.alone(empty).await?;
        self.fill().await
    }
}
