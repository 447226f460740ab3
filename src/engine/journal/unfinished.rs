//! A file beside the journal, there as long as the journal has unfinished work: it counts the changes of that work. A journal
//! that knows of fewer was damaged, put back or removed. The file holds the count alone.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use sqlx::query::Query;
use sqlx::sqlite::SqliteArguments;
use sqlx::{Sqlite, SqliteConnection, Transaction};

use super::database::Journal;
use crate::api::Error;

impl Journal {
    /// What to say where the journal lacks changes that were written to it; none if it has all of them. What it still has
    /// of unfinished work is in doubt then, and waits for a key. Said once.
    ///
    /// # Errors
    ///
    /// The journal cannot be read or written.
    pub async fn loss(&self) -> Result<Option<String>, Error> {
        self.find_loss().await.map_err(|error| self.failed(&error))
    }

    async fn find_loss(&self) -> Result<Option<String>, sqlx::Error> {
        let Some(file) = self.unfinished() else { return Ok(None) };
        let known = tokio::fs::read_to_string(file).await.ok().and_then(|text| text.trim().parse::<i64>().ok());
        let mut change = self.begin().await?;
        let count: i64 = sqlx::query_scalar("SELECT count FROM changes").fetch_one(&mut *change).await?;
        if known.is_none_or(|known| known <= count) {
            return Ok(None);
        }
        let doubt = "UPDATE item SET state = 'doubt' WHERE state = 'waiting' \
                     AND batch IN (SELECT number FROM batch WHERE ended_at IS NULL)";
        sqlx::query(doubt).execute(&mut *change).await?;
        sqlx::query("UPDATE batch SET held = 'restarted' WHERE ended_at IS NULL").execute(&mut *change).await?;
        self.commit(change).await?;
        Ok(Some(format!(
            "{} lacks what was written to it last: it was damaged, removed, or put back from a copy. Look which of your last \
             uploads, downloads and changes are missing, and start those again; what the journal still has of them waits \
             for a key in the list of tasks. Hidden files that end in .part go with the next download into their folder",
            self.path.display()
        )))
    }

    /// Begins a change of what is to be done. Other processes write, too: what is read first could not be written after, were
    /// it not locked from the start.
    pub(super) async fn begin(&self) -> Result<Transaction<'static, Sqlite>, sqlx::Error> {
        self.pool.begin_with("BEGIN IMMEDIATE").await
    }

    /// Makes a change of one statement; gives how many rows it has changed.
    pub(super) async fn alter(&self, statement: Query<'_, Sqlite, SqliteArguments>) -> Result<u64, Error> {
        let altered = async {
            let mut change = self.begin().await?;
            let rows = statement.execute(&mut *change).await?.rows_affected();
            self.commit(change).await?;
            Ok(rows)
        };
        altered.await.map_err(|error: sqlx::Error| self.failed(&error))
    }

    /// Commits a change of what is to be done, and counts it.
    pub(super) async fn commit(&self, mut change: Transaction<'static, Sqlite>) -> Result<(), sqlx::Error> {
        let count: i64 =
            sqlx::query_scalar("UPDATE changes SET count = count + 1 RETURNING count").fetch_one(&mut *change).await?;
        let is_unfinished = is_unfinished(&mut change).await?;
        change.commit().await?;
        if let Some(file) = self.unfinished() {
            let kept = if is_unfinished {
                tokio::fs::write(&file, count.to_string()).await
            } else {
                tokio::fs::remove_file(&file).await.or_else(|error| match error.kind() {
                    ErrorKind::NotFound => Ok(()),
                    _ => Err(error),
                })
            };
            if let Err(error) = kept {
                tracing::warn!(%error, file = %file.display(), "a loss of the journal could not be detected");
            }
        }
        Ok(())
    }

    /// None of a journal that does not outlive its process.
    fn unfinished(&self) -> Option<PathBuf> {
        self.run.is_shared().then(|| beside(&self.path))
    }
}

fn beside(journal: &Path) -> PathBuf {
    journal.with_added_extension("unfinished")
}

async fn is_unfinished(connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
    let select = "SELECT EXISTS (SELECT 1 FROM batch WHERE ended_at IS NULL)";
    sqlx::query_scalar(select).fetch_one(connection).await
}
