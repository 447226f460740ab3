//! What the journal has of an account, to be listed beside those that work on it: nothing is taken over.

use jiff::Timestamp;

use super::database::{Journal, time};
use super::run;
use super::text::of_word;
use crate::api::Error;
use crate::engine::batch::{BatchId, Bytes, Counts};
use crate::engine::job::{Job, JobKind};

/// A batch as it is written down.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedBatch {
    pub id: BatchId,
    pub kind: JobKind,
    /// Safe to show.
    pub label: String,
    pub counts: Counts,
    pub bytes: Bytes,
    /// The process that works on it is running.
    pub is_live: bool,
    pub asked_at: Timestamp,
    pub started_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    /// The last one that failed: what it worked on, safe to show, and why.
    pub failure: Option<(String, Error)>,
}

impl Journal {
    /// All batches of the account, of all runs, the newest first.
    pub async fn list_batches(&self) -> Result<Vec<ListedBatch>, Error> {
        self.list_all_batches().await.map_err(|error| self.failed(&error))
    }

    async fn list_all_batches(&self) -> Result<Vec<ListedBatch>, sqlx::Error> {
        type ListedRow = (i64, String, String, i64, i64, String, i64, Option<i64>, Option<i64>);
        let select = "SELECT number, verb, label, done, moved, run, asked_at, started_at, ended_at FROM batch \
                      WHERE account = $1 ORDER BY number DESC";
        let rows: Vec<ListedRow> = sqlx::query_as(select).bind(&self.account).fetch_all(&self.pool).await?;
        let mut all = Vec::new();
        for (number, kind, label, done, moved, run, asked, started, ended) in rows {
            let Some(kind) = of_word(&kind) else { continue };
            let (counts, bytes) = self.counted(number, done, moved).await?;
            all.push(ListedBatch {
                id: BatchId(number),
                kind,
                label,
                counts,
                bytes,
                is_live: ended.is_none() && !run::has_ended(&self.path, &run),
                asked_at: time(asked),
                started_at: started.map(time),
                ended_at: ended.map(time),
                failure: self.failures_of(BatchId(number), 1).await?.pop(),
            });
        }
        Ok(all)
    }

    /// The jobs of a batch that failed or were cancelled, and whether each can be done again as it is: it cannot where it may
    /// have been done, or where not all of it may be written down.
    pub async fn undone_jobs(&self, batch: BatchId) -> Result<Vec<(Job, bool)>, Error> {
        let select = "SELECT job, NOT partly AND NOT coalesce(error ->> 'in_doubt', state = 'cancelled' AND error IS NOT NULL) \
                      FROM item WHERE batch = $1 AND state IN ('failed', 'cancelled') ORDER BY number";
        let rows: Vec<(String, bool)> =
            sqlx::query_as(select).bind(batch.0).fetch_all(&self.pool).await.map_err(|error| self.failed(&error))?;
        let read = |(job, is_sure): (String, bool)| {
            let job = serde_json::from_str(&job).map_err(|error| self.failed(&sqlx::Error::Decode(error.into())))?;
            Ok((job, is_sure))
        };
        rows.into_iter().map(read).collect()
    }

    /// Forgets batches: no running process may work on them.
    pub async fn forget_batches(&self, batches: &[BatchId]) -> Result<(), Error> {
        self.forget(batches).await
    }
}
