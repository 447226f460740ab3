//! Fills the index of names behind the changes, in a task of its own, chunk by chunk: other changes come in between.

use sqlx::sqlite::SqlitePool;
use tokio::sync::mpsc;

use super::error::StoreError;
use super::name_index::{empty, fill_chunk};
use super::presence::Presence;

/// Takes wishes to the one task that fills. Cheap to clone; the task ends with the last clone.
#[derive(Debug, Clone)]
pub(super) struct NameIndexer {
    wishes: mpsc::Sender<IndexerCommand>,
}

#[derive(Debug)]
enum IndexerCommand {
    Fill,
    /// What is there is of no use.
    Anew,
}

impl NameIndexer {
    /// Starts the task that fills.
    pub(super) fn start(writer: SqlitePool, presence: Presence) -> Self {
        let (sender, wishes) = mpsc::channel(1);
        tokio::spawn(Filling { writer, presence, wishes }.run());
        Self { wishes: sender }
    }

    /// Has the names filled in that wait for it, if they are many.
    pub(super) fn fill(&self) {
        // Who has wished before wished for the same.
        let _ = self.wishes.try_send(IndexerCommand::Fill);
    }

    /// Has the index made again after it failed where the rest of the database did not, if it is damaged.
    pub(super) fn mend(&self, error: &StoreError) {
        tracing::warn!(%error, cause = ?std::error::Error::source(error), "the index of names failed; a search goes without it");
        if error.is_damage() {
            // Whoever meets the damage next wishes again.
            let _ = self.wishes.try_send(IndexerCommand::Anew);
        }
    }
}

struct Filling {
    writer: SqlitePool,
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
                Err(error) if error.is_damage() => self.anew().await,
                filled => filled,
            };
            match filled {
                // The service ends; the next start continues.
                Ok(()) | Err(StoreError::Database(sqlx::Error::PoolClosed)) => {}
                Err(error) => {
                    tracing::warn!(%error, cause = ?std::error::Error::source(&error), "the index of names is not filled; searches take longer");
                }
            }
        }
    }

    async fn fill(&self) -> Result<(), StoreError> {
        // Without a store there is nobody to fill it for.
        while !self.wishes.is_closed() && fill_chunk(&mut *self.writer.acquire().await?).await? {
            // SQLite may have moved the log into the file after the commit, and nobody else may look for long.
            self.presence.holds();
        }
        Ok(())
    }

    async fn anew(&self) -> Result<(), StoreError> {
        empty(&mut *self.writer.acquire().await?).await?;
        self.fill().await
    }
}
