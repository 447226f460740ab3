//! Batches and their jobs: what is to be done, what was sent, the result of it. A batch belongs to one run, that is to
//! one process.

use jiff::Timestamp;
use sqlx::{Sqlite, Transaction};

use super::database::Journal;
use super::steps::{DOUBT, MarkedJob, begin, end, mark_all};
use super::text::{json, word};
use crate::api::Error;
use crate::api::ids::TaskId;
use crate::engine::batch::BatchId;
use crate::engine::job::{Job, JobKind};

/// Jobs that are written at once.
const WRITTEN_AT_ONCE: usize = 4_096;

/// Batches of scripts that have ended and are kept, of each account.
const SCRIPTS_KEPT: u32 = 20;

/// A new batch.
#[derive(Debug)]
pub(crate) struct NewBatch {
    pub(crate) kind: JobKind,
    pub(crate) label: String,
    pub(crate) script: bool,
    pub(crate) at: Timestamp,
}

/// A job as it is written down: JSON, whether that lacks something, the bytes that it moves, and the path that it asks for
/// where it is an upload.
pub(crate) type StoredJob = (String, bool, Option<u64>, Option<String>);

/// What a batch waits for a key for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum HoldState {
    Paused,
    Restarted,
}

/// A job that is taken to be done.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PendingJob {
    pub(crate) number: u32,
    pub(crate) job: Job,
    /// The job lacks what must not be written down.
    pub(crate) partly: bool,
    pub(crate) bytes: Option<u64>,
    /// An earlier try may have done it.
    pub(crate) in_doubt: bool,
    /// Another upload had its name when it was taken.
    pub(crate) is_taken: bool,
    /// The service's own task behind it.
    pub(crate) task: Option<TaskId>,
}

impl Journal {
    /// Writes a new batch down, all of it or nothing.
    pub(crate) async fn add_batch(&self, asked: &NewBatch, jobs: &[StoredJob]) -> Result<BatchId, Error> {
        self.add(asked, jobs).await.map_err(|error| self.failed(&error))
    }

    async fn add(&self, asked: &NewBatch, jobs: &[StoredJob]) -> Result<BatchId, sqlx::Error> {
        let mut change = self.begin().await?;
        let id = self.insert(&mut change, asked, jobs).await?;
        self.commit(change).await?;
        Ok(id)
    }

    pub(super) async fn insert(
        &self,
        change: &mut Transaction<'_, Sqlite>,
        asked: &NewBatch,
        jobs: &[StoredJob],
    ) -> Result<BatchId, sqlx::Error> {
        let insert = "INSERT INTO batch (account, run, script, verb, label, rank, asked_at) \
                      VALUES ($1, $2, $3, $4, $5, 0, $6)";
        let insert = sqlx::query(insert)
            .bind(&self.account)
            .bind(&self.run.id)
            .bind(asked.script)
            .bind(word(asked.kind))
            .bind(&asked.label)
            .bind(asked.at.as_millisecond());
        let id = insert.execute(&mut **change).await?.last_insert_rowid();
        sqlx::query("UPDATE batch SET rank = number WHERE number = $1").bind(id).execute(&mut **change).await?;
        for (chunk, jobs) in jobs.chunks(WRITTEN_AT_ONCE).enumerate() {
            let insert = "INSERT INTO item (batch, number, job, partly, bytes, path, state) \
                          SELECT $1, $2 + key, value ->> 0, value ->> 1, value ->> 2, value ->> 3, 'waiting' \
                          FROM json_each($3)";
            let first = i64::try_from(chunk * WRITTEN_AT_ONCE).unwrap_or(i64::MAX);
            sqlx::query(insert).bind(id).bind(first).bind(json(jobs)).execute(&mut **change).await?;
        }
        Ok(BatchId(id))
    }

    /// Takes the next jobs of a batch, in order: they are written down as being sent before they are given.
    pub(crate) async fn take(&self, batch: BatchId, most: u32) -> Result<Vec<PendingJob>, Error> {
        self.take_chunk(batch, most).await.map_err(|error| self.failed(&error))
    }

    async fn take_chunk(&self, batch: BatchId, most: u32) -> Result<Vec<PendingJob>, sqlx::Error> {
        type JobRow = (i64, String, bool, Option<i64>, String, Option<String>);
        let mut change = self.begin().await?;
        let select = "SELECT number, job, partly, bytes, state, task FROM item \
                      WHERE batch = $1 AND state IN ('waiting', 'doubt') ORDER BY number LIMIT $2";
        let rows: Vec<JobRow> = sqlx::query_as(select).bind(batch.0).bind(most).fetch_all(&mut *change).await?;
        let numbers: Vec<i64> = rows.iter().map(|row| row.0).collect();
        let send = "UPDATE item SET state = 'sent', yields = 0 \
                    WHERE batch = $1 AND number IN (SELECT value FROM json_each($2))";
        sqlx::query(send).bind(batch.0).bind(json(&numbers)).execute(&mut *change).await?;
        begin(&mut change, batch, Timestamp::now()).await?;
        let entry = |(number, job, partly, bytes, state, task): JobRow| {
            Ok::<_, sqlx::Error>(PendingJob {
                number: u32::try_from(number).map_err(|error| sqlx::Error::Decode(error.into()))?,
                job: serde_json::from_str(&job).map_err(|error| sqlx::Error::Decode(error.into()))?,
                partly,
                bytes: bytes.and_then(|bytes| u64::try_from(bytes).ok()),
                in_doubt: state == "doubt",
                is_taken: false,
                task: task.map(TaskId::new),
            })
        };
        // None is written down as being sent that cannot be read.
        let mut entries = rows.into_iter().map(entry).collect::<Result<Vec<_>, _>>()?;
        self.mark_taken(&mut change, batch, &mut entries).await?;
        self.commit(change).await?;
        Ok(entries)
    }

    /// All jobs of a batch whose rows are there, with the bytes that they move.
    pub(crate) async fn jobs(&self, batch: BatchId) -> Result<Vec<(Job, Option<u64>)>, Error> {
        let select = "SELECT job, bytes FROM item WHERE batch = $1";
        let rows: Vec<(String, Option<i64>)> =
            sqlx::query_as(select).bind(batch.0).fetch_all(&self.pool).await.map_err(|error| self.failed(&error))?;
        let read = |(job, bytes): (String, Option<i64>)| {
            let job = serde_json::from_str(&job).map_err(|error| self.failed(&sqlx::Error::Decode(error.into())))?;
            Ok((job, bytes.and_then(|bytes| u64::try_from(bytes).ok())))
        };
        rows.into_iter().map(read).collect()
    }

    /// The service has accepted a job as a task of its own.
    pub(crate) async fn accept(&self, batch: BatchId, number: u32, task: &TaskId) -> Result<(), Error> {
        let accept = "UPDATE item SET task = $3 WHERE batch = $1 AND number = $2";
        let accept = sqlx::query(accept).bind(batch.0).bind(number).bind(task.as_str());
        self.alter(accept).await.map(drop)
    }

    /// Writes down the result of jobs.
    pub(crate) async fn mark(&self, batch: BatchId, marks: &[MarkedJob]) -> Result<(), Error> {
        let marked = async {
            let mut change = self.begin().await?;
            mark_all(&mut change, batch, marks).await?;
            self.commit(change).await
        };
        marked.await.map_err(|error: sqlx::Error| self.failed(&error))
    }

    /// What was taken and not begun waits again.
    pub(crate) async fn put_back(&self, batch: BatchId, numbers: &[u32]) -> Result<(), Error> {
        let wait = "UPDATE item SET state = 'waiting' WHERE batch = $1 AND state = 'sent' \
                    AND number IN (SELECT value FROM json_each($2))";
        let wait = sqlx::query(wait).bind(batch.0).bind(json(numbers));
        self.alter(wait).await.map(drop)
    }

    /// Cancels all that has not ended. Nobody knows the result of the `doubtful`; a mark may still say it.
    pub(crate) async fn cancel(&self, batch: BatchId, doubtful: &[u32]) -> Result<(), Error> {
        let cancel = "UPDATE item SET state = 'cancelled', ended = $4, error = CASE \
                        WHEN state = 'doubt' OR number IN (SELECT value FROM json_each($2)) THEN $3 END \
                      WHERE batch = $1 AND state IN ('waiting', 'doubt', 'sent')";
        let cancel =
            sqlx::query(cancel).bind(batch.0).bind(json(doubtful)).bind(DOUBT).bind(Timestamp::now().as_millisecond());
        self.alter(cancel).await.map(drop)
    }

    /// Lets what failed and, if so asked, what was cancelled be done again. What nobody knows the end of is in doubt.
    pub(crate) async fn retry(&self, batch: BatchId, cancelled_too: bool) -> Result<(), Error> {
        let retry = "UPDATE item SET error = NULL, began = NULL, ended = NULL, \
                       state = CASE WHEN error ->> 'in_doubt' THEN 'doubt' ELSE 'waiting' END \
                     WHERE batch = $1 AND (state = 'failed' OR ($2 AND state = 'cancelled'))";
        let open = "UPDATE batch SET ended_at = NULL, held = NULL WHERE number = $1";
        let done = async {
            let mut change = self.begin().await?;
            sqlx::query(retry).bind(batch.0).bind(cancelled_too).execute(&mut *change).await?;
            sqlx::query(open).bind(batch.0).execute(&mut *change).await?;
            self.commit(change).await
        };
        done.await.map_err(|error: sqlx::Error| self.failed(&error))
    }

    /// A batch has ended: it has no open jobs.
    pub(crate) async fn end(&self, batch: BatchId) -> Result<(), Error> {
        let done = async {
            let mut change = self.begin().await?;
            end(&mut change, batch, Timestamp::now()).await?;
            self.commit(change).await
        };
        done.await.map_err(|error: sqlx::Error| self.failed(&error))
    }

    /// Forgets what scripts have done, each of which has told its result. What failed, or was not done, stays to be asked
    /// for again, of the last few scripts.
    pub(crate) async fn forget_scripts(&self) -> Result<(), Error> {
        let forget = "DELETE FROM batch WHERE account = $1 AND script AND ended_at IS NOT NULL AND number NOT IN \
                      (SELECT number FROM batch AS kept WHERE account = $1 AND script AND ended_at IS NOT NULL AND EXISTS \
                       (SELECT 1 FROM item WHERE batch = kept.number AND state IN ('failed', 'cancelled')) \
                       ORDER BY number DESC LIMIT $2)";
        self.alter(sqlx::query(forget).bind(&self.account).bind(SCRIPTS_KEPT)).await.map(drop)
    }

    pub(crate) async fn hold(&self, batch: BatchId, held: Option<HoldState>) -> Result<(), Error> {
        let set = sqlx::query("UPDATE batch SET held = $2 WHERE number = $1").bind(batch.0).bind(held.map(word));
        self.alter(set).await.map(drop)
    }

    pub(crate) async fn set_rank(&self, batch: BatchId, rank: i64) -> Result<(), Error> {
        let set = sqlx::query("UPDATE batch SET rank = $2 WHERE number = $1").bind(batch.0).bind(rank);
        set.execute(&self.pool).await.map(drop).map_err(|error| self.failed(&error))
    }

    pub(crate) async fn forget(&self, batches: &[BatchId]) -> Result<(), Error> {
        let numbers: Vec<i64> = batches.iter().map(|batch| batch.0).collect();
        let delete = sqlx::query("DELETE FROM batch WHERE number IN (SELECT value FROM json_each($1))");
        self.alter(delete.bind(json(&numbers))).await.map(drop)
    }

    /// What failed of a batch, the last one first: what it worked on, safe to show, and why.
    pub async fn failures(&self, batch: BatchId, most: u32) -> Result<Vec<(String, Error)>, Error> {
        self.failures_of(batch, most).await.map_err(|error| self.failed(&error))
    }

    pub(super) async fn failures_of(&self, batch: BatchId, most: u32) -> Result<Vec<(String, Error)>, sqlx::Error> {
        let select = "SELECT job, error FROM item WHERE batch = $1 AND state = 'failed' AND error IS NOT NULL \
                      ORDER BY number DESC LIMIT $2";
        let rows: Vec<(String, String)> = sqlx::query_as(select).bind(batch.0).bind(most).fetch_all(&self.pool).await?;
        let decode = |error: serde_json::Error| sqlx::Error::Decode(error.into());
        let read = |(job, error): (String, String)| {
            let job: Job = serde_json::from_str(&job).map_err(decode)?;
            Ok((job.subject(), serde_json::from_str(&error).map_err(decode)?))
        };
        rows.into_iter().map(read).collect()
    }
}
