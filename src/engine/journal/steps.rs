//! The steps of a batch from its first job to its end, each a part of a transaction.

use jiff::Timestamp;
use rusqlite::{Connection, Result, params};

use super::text::json;
use crate::api::Error;
use crate::engine::address_map::StoredCopy;
use crate::engine::batch::BatchId;

/// The error of a job that was cancelled while it was in doubt.
pub(super) const DOUBT: &str = r#"{"in_doubt":true}"#;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Mark {
    /// With the result of a copy from an account.
    Done(Option<StoredCopy>),
    Failed(Error),
    /// Given up; with `in_doubt`, it may be done nevertheless.
    Cancelled {
        in_doubt: bool,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MarkedJob {
    pub(crate) number: u32,
    pub(crate) mark: Mark,
    pub(crate) began: Timestamp,
    pub(crate) ended: Timestamp,
}

/// Records that the first job of a batch leaves the queue.
pub(super) fn begin(change: &Connection, batch: BatchId, at: Timestamp) -> Result<()> {
    let begin = "UPDATE batch SET started_at = coalesce(started_at, ?2) WHERE number = ?1";
    change
        .prepare_cached(begin)?
        .execute((batch.0, at.as_millisecond()))
        .map(drop)
}

pub(super) fn mark_all(change: &Connection, batch: BatchId, marks: &[MarkedJob]) -> Result<()> {
    marks
        .iter()
        .try_for_each(|marked| mark_one(change, batch, marked))
}

/// Ends a batch, and cancels everything of it that is open.
pub(super) fn end(change: &Connection, batch: BatchId, at: Timestamp) -> Result<()> {
    let cancel = "UPDATE item SET state = 'cancelled', ended = ?3, error = CASE WHEN state <> 'waiting' THEN ?2 END \
                  WHERE batch = ?1 AND state IN ('waiting', 'doubt', 'sent')";
    let close = "UPDATE batch SET ended_at = ?2, held = NULL WHERE number = ?1";
    change
        .prepare_cached(cancel)?
        .execute((batch.0, DOUBT, at.as_millisecond()))?;
    change
        .prepare_cached(close)?
        .execute((batch.0, at.as_millisecond()))
        .map(drop)
}

fn mark_one(
    change: &Connection,
    batch: BatchId,
    MarkedJob {
        number,
        mark,
        began,
        ended,
    }: &MarkedJob,
) -> Result<()> {
    let (state, error, stored) = match mark {
        Mark::Done(stored) => ("done", None, stored.as_ref().map(json)),
        Mark::Failed(error) => ("failed", Some(json(error)), None),
        Mark::Cancelled { in_doubt } => ("cancelled", in_doubt.then(|| DOUBT.to_owned()), None),
    };
    // A task that failed is not watched again: the job is requested anew.
    let is_over = matches!(mark, Mark::Failed(error) if error.kind.ends_task());
    let set = "UPDATE item SET state = ?3, error = ?4, task = CASE WHEN ?5 THEN NULL ELSE task END, \
                 began = ?6, ended = ?7, stored = ?8 WHERE batch = ?1 AND number = ?2";
    let (began, ended) = (began.as_millisecond(), ended.as_millisecond());
    change.prepare_cached(set)?.execute(params![
        batch.0, number, state, error, is_over, began, ended, stored
    ])?;
    match mark {
        Mark::Done(_) => keep_stored(change, batch, *number, ended),
        Mark::Failed(_) | Mark::Cancelled { .. } => Ok(()),
    }
}

/// Keeps the path of an upload that was stored; does nothing for another job.
fn keep_stored(change: &Connection, batch: BatchId, number: u32, at: i64) -> Result<()> {
    let keep = "INSERT OR REPLACE INTO stored_path (account, path, batch, stored_at) \
                SELECT account, path, item.batch, ?3 FROM item JOIN batch ON batch.number = item.batch \
                WHERE item.batch = ?1 AND item.number = ?2 AND path IS NOT NULL";
    change
        .prepare_cached(keep)?
        .execute((batch.0, number, at))
        .map(drop)
}
