//! The steps of a batch from its first job to its end, each a part of a transaction.

use jiff::Timestamp;
use sqlx::{Sqlite, Transaction};

use super::text::json;
use crate::api::Error;
use crate::engine::batch::BatchId;

/// Stands for the error of what was cancelled while it was in doubt.
pub(super) const DOUBT: &str = r#"{"in_doubt":true}"#;

/// What came of a job.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Mark {
    Done,
    Failed(Error),
    /// Given up; whether it may be done nevertheless.
    Cancelled {
        in_doubt: bool,
    },
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

/// Writes down what came of jobs.
pub(super) async fn mark_all(
    change: &mut Transaction<'_, Sqlite>,
    batch: BatchId,
    marks: &[(u32, Mark)],
) -> Result<(), sqlx::Error> {
    let done: Vec<u32> = marks.iter().filter(|(_, mark)| *mark == Mark::Done).map(|(at, _)| *at).collect();
    let all = "UPDATE item SET state = 'done' WHERE batch = $1 AND number IN (SELECT value FROM json_each($2))";
    sqlx::query(all).bind(batch.0).bind(json(&done)).execute(&mut **change).await?;
    for (number, mark) in marks {
        mark_one(change, batch, *number, mark).await?;
    }
    Ok(())
}

/// Of what is done no more is kept than the count, and nothing is open any more.
pub(super) async fn end(
    change: &mut Transaction<'_, Sqlite>,
    batch: BatchId,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    let cancel = "UPDATE item SET state = 'cancelled', error = CASE WHEN state <> 'waiting' THEN $2 END \
                  WHERE batch = $1 AND state IN ('waiting', 'doubt', 'sent')";
    let sum = "UPDATE batch SET ended_at = $2, held = NULL, \
                 done = done + (SELECT count(*) FROM item WHERE batch = $1 AND state = 'done'), \
                 moved = moved + (SELECT coalesce(sum(bytes), 0) FROM item WHERE batch = $1 AND state = 'done') \
               WHERE number = $1";
    let drop_done = "DELETE FROM item WHERE batch = $1 AND state = 'done'";
    sqlx::query(cancel).bind(batch.0).bind(DOUBT).execute(&mut **change).await?;
    sqlx::query(sum).bind(batch.0).bind(at.as_millisecond()).execute(&mut **change).await?;
    sqlx::query(drop_done).bind(batch.0).execute(&mut **change).await.map(drop)
}

async fn mark_one(
    change: &mut Transaction<'_, Sqlite>,
    batch: BatchId,
    number: u32,
    mark: &Mark,
) -> Result<(), sqlx::Error> {
    let (state, error) = match mark {
        Mark::Done => return Ok(()),
        Mark::Failed(error) => ("failed", Some(json(error))),
        Mark::Cancelled { in_doubt } => ("cancelled", in_doubt.then(|| DOUBT.to_owned())),
    };
    // A task that came to nothing is not watched again but asked for anew.
    let is_over = matches!(mark, Mark::Failed(error) if error.kind.ends_task());
    let set = "UPDATE item SET state = $3, error = $4, task = CASE WHEN $5 THEN NULL ELSE task END \
               WHERE batch = $1 AND number = $2";
    let set = sqlx::query(set).bind(batch.0).bind(number).bind(state).bind(error).bind(is_over);
    set.execute(&mut **change).await.map(drop)
}
