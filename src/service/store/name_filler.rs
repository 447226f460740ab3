//! Fills the index of names behind the changes, in a task of its own, lot by lot: other changes come in between.

use sqlx::sqlite::SqlitePool;
use tokio::sync::mpsc;

use super::error::StoreError;
use super::name_index::{empty, fill_lot};

/// Takes wishes to the one task that fills. Cheap to clone; the task ends with the last clone.
#[derive(Debug, Clone)]
pub(super) struct NameFiller {
    wishes: mpsc::Sender<Wish>,
}

#[derive(Debug)]
enum Wish {
    Fill,
    /// What is there is of no use.
    Anew,
}

impl NameFiller {
    /// Starts the task that fills.
    pub(super) fn start(writer: SqlitePool) -> Self {
        let (sender, wishes) = mpsc::channel(1);
        tokio::spawn(run(writer, wishes));
        Self { wishes: sender }
    }

    /// Has the names filled in that wait for it, if they are many.
    pub(super) fn fill(&self) {
        // Who has wished before wished for the same.
        let _ = self.wishes.try_send(Wish::Fill);
    }

    /// Has the index made anew after it failed, if it is damaged. Another failure is none of the index.
    pub(super) fn mend(&self, error: &StoreError) {
        tracing::warn!(%error, cause = ?std::error::Error::source(error), "the index of names failed; a search goes without it");
        if error.is_damage() {
            // Whoever meets the damage next wishes again.
            let _ = self.wishes.try_send(Wish::Anew);
        }
    }
}

async fn run(writer: SqlitePool, mut wishes: mpsc::Receiver<Wish>) {
    while let Some(wish) = wishes.recv().await {
        let filled = match wish {
            Wish::Fill => fill(&writer).await,
            Wish::Anew => anew(&writer).await,
        };
        let filled = match filled {
            Err(error) if error.is_damage() => anew(&writer).await,
            filled => filled,
        };
        match filled {
            // The service ends; the next start goes on.
            Ok(()) | Err(StoreError::Database(sqlx::Error::PoolClosed)) => {}
            Err(error) => {
                tracing::warn!(%error, cause = ?std::error::Error::source(&error), "the index of names is not filled; searches take longer");
            }
        }
    }
}

async fn fill(writer: &SqlitePool) -> Result<(), StoreError> {
    while fill_lot(&mut *writer.acquire().await?).await? {}
    Ok(())
}

async fn anew(writer: &SqlitePool) -> Result<(), StoreError> {
    empty(&mut *writer.acquire().await?).await?;
    fill(writer).await
}
