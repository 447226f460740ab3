//! The steps of a batch from its first job to its end, each a part of a transaction.

use jiff::Timestamp;
use sqlx::{Sqlite, SqliteConnection, Transaction};

use super::text::json;
use crate::api::Error;
use crate::engine::batch::BatchId;

/// Stands for the error of what was cancelled while it was in doubt.
pub(super) const DOUBT: &str = r#"{"in_doubt":true}"#;

/// The result of a job.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Mark {
    Done,
    Failed(Error),
    /// Given up; whether it may be done nevertheless.
    Cancelled {
        in_doubt: bool,
    },
}

/// The mark of a job, and when it was worked on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MarkedJob {
    pub(crate) number: u32,
    pub(crate) mark: Mark,
    pub(crate) began: Timestamp,
    pub(crate) ended: Timestamp,
}

/// The first of its jobs leaves the queue.
pub(super) async fn begin(
    change: &mut Transaction<'_, Sqlite>,
    batch: BatchId,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    let begin = "UPDATE batch SET started_at = coalesce(started_at, $2) WHERE number = $1";
    sqlx::query(begin).bind(batch.0).bind(at.as_millisecond()).execute(&mut **change).await.map(drop)
}

/// Writes down the result of jobs.
pub(super) async fn mark_all(
    change: &mut Transaction<'_, Sqlite>,
    batch: BatchId,
    marks: &[MarkedJob],
) -> Result<(), sqlx::Error> {
    for marked in marks {
        mark_one(change, batch, marked).await?;
    }
    Ok(())
}

/// Nothing is open anymore.
pub(super) async fn end(
    change: &mut Transaction<'_, Sqlite>,
    batch: BatchId,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    let cancel = "UPDATE item SET state = 'cancelled', ended = $3, error = CASE WHEN state <> 'waiting' THEN $2 END \
                  WHERE batch = $1 AND state IN ('waiting', 'doubt', 'sent')";
    let close = "UPDATE batch SET ended_at = $2, held = NULL WHERE number = $1";
    sqlx::query(cancel).bind(batch.0).bind(DOUBT).bind(at.as_millisecond()).execute(&mut **change).await?;
    sqlx::query(close).bind(batch.0).bind(at.as_millisecond()).execute(&mut **change).await.map(drop)
}

async fn mark_one(
    change: &mut Transaction<'_, Sqlite>,
    batch: BatchId,
    MarkedJob { number, mark, began, ended }: &MarkedJob,
) -> Result<(), sqlx::Error> {
    let (state, error) = match mark {
        Mark::Done => ("done", None),
        Mark::Failed(error) => ("failed", Some(json(error))),
        Mark::Cancelled { in_doubt } => ("cancelled", in_doubt.then(|| DOUBT.to_owned())),
    };
    // A task that failed is not watched again but asked for again.
    let is_over = matches!(mark, Mark::Failed(error) if error.kind.ends_task());
    let set = "UPDATE item SET state = $3, error = $4, task = CASE WHEN $5 THEN NULL ELSE task END, \
                 began = $6, ended = $7 WHERE batch = $1 AND number = $2";
    let set = sqlx::query(set).bind(batch.0).bind(number).bind(state).bind(error).bind(is_over);
    let set = set.bind(began.as_millisecond()).bind(ended.as_millisecond());
    set.execute(&mut **change).await?;
    match mark {
        Mark::Done => keep_stored(change, batch, *number, *ended).await,
        Mark::Failed(_) | Mark::Cancelled { .. } => Ok(()),
    }
}

/// Keeps the path of an upload that was stored; nothing of another job.
async fn keep_stored(
    change: &mut SqliteConnection,
    batch: BatchId,
    number: u32,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    let keep = "INSERT OR REPLACE INTO stored_path (account, path, batch, stored_at) \
                SELECT account, path, item.batch, $3 FROM item JOIN batch ON batch.number = item.batch \
                WHERE item.batch = $1 AND item.number = $2 AND path IS NOT NULL";
    sqlx::query(keep).bind(batch.0).bind(number).bind(at.as_millisecond()).execute(change).await.map(drop)
}
