//! Batches and their jobs: what is to be done, what was sent, and the results. A batch belongs to
//! one run: a process.

use std::sync::Arc;

use jiff::Timestamp;
use rusqlite::{Connection, Row, Transaction};

use super::database::{Journal, size};
use super::steps::{DOUBT, MarkedJob, begin, end, mark_all};
use super::text::{OfJson, json, word};
use crate::api::Error;
use crate::api::ids::TaskId;
use crate::engine::batch::BatchId;
use crate::engine::job::{Job, JobKind};

const WRITTEN_AT_ONCE: usize = 4_096;
/// The failures among which one is looked for that a retry can mend.
const FEW: u32 = 8;

#[derive(Debug, Clone)]
pub(crate) struct NewBatch {
    pub(crate) kind: JobKind,
    pub(crate) label: String,
    pub(crate) script: bool,
    pub(crate) at: Timestamp,
}

/// The reason why a batch waits for the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum HoldState {
    Paused,
    Restarted,
}

/// A job as it is written down and taken.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PendingJob {
    pub(crate) number: u32,
    pub(crate) job: Job,
    /// Set if the job lacks what must not be stored.
    pub(crate) partly: bool,
    pub(crate) bytes: Option<u64>,
    /// Set if an earlier attempt may have done it.
    pub(crate) in_doubt: bool,
    /// The other uploads to its path when it was taken.
    pub(crate) rivals: Rivals,
    pub(crate) task: Option<TaskId>,
}

/// Other uploads of this machine to the path of a job.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Rivals {
    /// Set if one of them has the name.
    pub(crate) have_name: bool,
    /// Set if one was cut short: it may store a file yet, or have stored it.
    pub(crate) may_store: bool,
}

impl PendingJob {
    pub(crate) fn new(number: u32, job: Job, bytes: Option<u64>) -> Self {
        Self {
            number,
            job,
            partly: false,
            bytes,
            in_doubt: false,
            rivals: Rivals::default(),
            task: None,
        }
    }

    /// Returns what is stored of it: its JSON, whether that lacks something, its bytes, and the path
    /// that an upload requests.
    fn stored(&self) -> impl serde::Serialize {
        let bare = self.job.without_secrets();
        let text = json(bare.as_ref().unwrap_or(&self.job));
        (text, bare.is_some(), self.bytes, self.job.upload_path())
    }
}

impl Journal {
    /// Records a new batch, all of it or nothing, and its first `most` jobs, which are returned, as
    /// being sent.
    pub(crate) async fn add_batch(
        &self,
        asked: &NewBatch,
        jobs: &Arc<[PendingJob]>,
        most: u32,
    ) -> Result<(BatchId, Vec<PendingJob>), Error> {
        let (asked, jobs) = (asked.clone(), jobs.clone());
        self.change_work(move |journal, change| {
            let id = journal.insert(change, &asked, &jobs)?;
            let mut first: Vec<PendingJob> = jobs
                .iter()
                .take_while(|job| job.number < most)
                .cloned()
                .collect();
            if most > 0 {
                journal.send(change, id, &mut first)?;
            }
            Ok((id, first))
        })
        .await
    }

    pub(super) fn insert(
        &self,
        change: &Connection,
        asked: &NewBatch,
        jobs: &[PendingJob],
    ) -> rusqlite::Result<BatchId> {
        let insert = "INSERT INTO batch (account, run, script, verb, label, rank, asked_at, command) \
                      VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6, ?7)";
        let NewBatch {
            kind,
            label,
            script,
            at,
        } = asked;
        let row = (
            &self.account,
            &self.run.id,
            script,
            word(kind),
            label,
            at.as_millisecond(),
            &self.command,
        );
        let id = change.prepare_cached(insert)?.insert(row)?;
        change
            .prepare_cached("UPDATE batch SET rank = number WHERE number = ?1")?
            .execute([id])?;
        let insert = "INSERT INTO item (batch, number, job, partly, bytes, path, state) \
                      SELECT ?1, ?2 + key, value ->> 0, value ->> 1, value ->> 2, value ->> 3, 'waiting' \
                      FROM json_each(?3)";
        for jobs in jobs.chunks(WRITTEN_AT_ONCE) {
            let first = jobs.first().map(|job| job.number);
            let jobs: Vec<_> = jobs.iter().map(PendingJob::stored).collect();
            change
                .prepare_cached(insert)?
                .execute((id, first, json(&jobs)))?;
        }
        Ok(BatchId(id))
    }

    /// Takes the next jobs of a batch, in order; they are recorded as being sent before they are
    /// returned.
    pub(crate) async fn take(&self, batch: BatchId, most: u32) -> Result<Vec<PendingJob>, Error> {
        self.change_work(move |journal, change| {
            let select = "SELECT number, job, partly, bytes, state, task FROM item \
                      WHERE batch = ?1 AND state IN ('waiting', 'doubt') ORDER BY number LIMIT ?2";
            let read = |row: &Row<'_>| {
                let job = row.get::<_, OfJson<Job>>("job")?.0;
                Ok(PendingJob {
                    partly: row.get("partly")?,
                    in_doubt: row.get_ref("state")?.as_str()? == "doubt",
                    task: row.get::<_, Option<String>>("task")?.map(TaskId::new),
                    ..PendingJob::new(row.get("number")?, job, size(row.get("bytes")?))
                })
            };
            // If one cannot be read, none is recorded as being sent.
            let jobs = change
                .prepare_cached(select)?
                .query_map((batch.0, most), read)?
                .collect::<Result<Vec<_>, _>>();
            let mut jobs = jobs?;
            journal.send(change, batch, &mut jobs)?;
            Ok(jobs)
        })
        .await
    }

    /// Records jobs as being sent.
    fn send(
        &self,
        change: &Connection,
        batch: BatchId,
        jobs: &mut [PendingJob],
    ) -> rusqlite::Result<()> {
        let numbers: Vec<u32> = jobs.iter().map(|job| job.number).collect();
        let send = "UPDATE item SET state = 'sent', yields = 0 \
                    WHERE batch = ?1 AND number IN (SELECT value FROM json_each(?2))";
        change
            .prepare_cached(send)?
            .execute((batch.0, json(&numbers)))?;
        begin(change, batch, Timestamp::now())?;
        self.mark_taken(change, batch, jobs)
    }

    /// Returns all jobs of a batch whose rows exist, with the bytes that they move.
    pub(crate) async fn jobs(&self, batch: BatchId) -> Result<Vec<(Job, Option<u64>)>, Error> {
        let select = "SELECT job, bytes FROM item WHERE batch = ?1";
        self.find(select, [batch.0], |row| {
            Ok((row.get::<_, OfJson<Job>>(0)?.0, size(row.get(1)?)))
        })
        .await
    }

    /// Records that the service has accepted a job as a task of its own.
    pub(crate) async fn accept(
        &self,
        batch: BatchId,
        number: u32,
        task: &TaskId,
    ) -> Result<(), Error> {
        let watch = "UPDATE item SET task = ?3 WHERE batch = ?1 AND number = ?2";
        let keep = "INSERT OR REPLACE INTO service_task (batch, number, id) VALUES (?1, ?2, ?3)";
        let task = task.clone();
        self.change_work(move |_, change| {
            let values = (batch.0, number, task.as_str());
            change.prepare_cached(watch)?.execute(values)?;
            change.prepare_cached(keep)?.execute(values).map(drop)
        })
        .await
    }

    pub(crate) async fn mark(&self, batch: BatchId, marks: &[MarkedJob]) -> Result<(), Error> {
        let marks = marks.to_vec();
        self.change_work(move |_, change| mark_all(change, batch, &marks))
            .await
    }

    /// Lets jobs that were taken but not started wait again.
    pub(crate) async fn put_back(&self, batch: BatchId, numbers: &[u32]) -> Result<(), Error> {
        let wait = "UPDATE item SET state = 'waiting' WHERE batch = ?1 AND state = 'sent' \
                    AND number IN (SELECT value FROM json_each(?2))";
        self.change_by(wait, (batch.0, json(numbers)))
            .await
            .map(drop)
    }

    /// Cancels everything that has not ended. The results of the `doubtful` are unknown; a mark may
    /// still record them.
    pub(crate) async fn cancel(&self, batch: BatchId, doubtful: &[u32]) -> Result<(), Error> {
        let cancel = "UPDATE item SET state = 'cancelled', ended = ?4, error = CASE \
                        WHEN state = 'doubt' OR number IN (SELECT value FROM json_each(?2)) THEN ?3 END \
                      WHERE batch = ?1 AND state IN ('waiting', 'doubt', 'sent')";
        self.change_by(
            cancel,
            (
                batch.0,
                json(doubtful),
                DOUBT,
                Timestamp::now().as_millisecond(),
            ),
        )
        .await
        .map(drop)
    }

    /// Lets what failed, and with `cancelled_too` what was cancelled, be done again; in doubt where
    /// the end is unknown.
    pub(crate) async fn retry(&self, batch: BatchId, cancelled_too: bool) -> Result<(), Error> {
        let retry = "UPDATE item SET error = NULL, began = NULL, ended = NULL, \
                       state = CASE WHEN error ->> 'in_doubt' THEN 'doubt' ELSE 'waiting' END \
                     WHERE batch = ?1 AND (state = 'failed' OR (?2 AND state = 'cancelled'))";
        let open = "UPDATE batch SET ended_at = NULL, held = NULL WHERE number = ?1";
        let again = move |_: &Self, change: &Transaction<'_>| {
            change
                .prepare_cached(retry)?
                .execute((batch.0, cancelled_too))?;
            change.prepare_cached(open)?.execute([batch.0]).map(drop)
        };
        self.change_work(again).await
    }

    /// Ends a batch; it has no open jobs from then on.
    pub(crate) async fn end(&self, batch: BatchId) -> Result<(), Error> {
        self.change_work(move |_, change| end(change, batch, Timestamp::now()))
            .await
    }

    pub(crate) async fn hold(&self, batch: BatchId, held: Option<HoldState>) -> Result<(), Error> {
        self.change_by(
            "UPDATE batch SET held = ?2 WHERE number = ?1",
            (batch.0, held.map(word)),
        )
        .await
        .map(drop)
    }

    pub(crate) async fn set_rank(&self, batch: BatchId, rank: i64) -> Result<(), Error> {
        let set = "UPDATE batch SET rank = ?2 WHERE number = ?1";
        self.change(move |_, change| {
            change
                .prepare_cached(set)?
                .execute((batch.0, rank))
                .map(drop)
        })
        .await
    }

    pub(crate) async fn forget(&self, batches: &[BatchId]) -> Result<(), Error> {
        let numbers: Vec<i64> = batches.iter().map(|batch| batch.0).collect();
        let forget = "DELETE FROM batch WHERE number IN (SELECT value FROM json_each(?1))";
        self.change_by(forget, [json(&numbers)]).await.map(drop)
    }

    /// Returns the failures of a batch, last one first: what the job worked on, safe to show, and
    /// why it failed.
    pub async fn failures(&self, batch: BatchId, most: u32) -> Result<Vec<(String, Error)>, Error> {
        self.read(move |_, connection| failures_of(connection, batch, most))
            .await
    }

    /// Returns the failure that stands for all of a batch.
    pub async fn failure(&self, batch: BatchId) -> Result<Option<(String, Error)>, Error> {
        self.read(move |_, connection| failure_of(connection, batch))
            .await
    }
}

/// Returns the last failure that a retry can mend, among the last few; the last if there is none.
pub(super) fn failure_of(
    connection: &Connection,
    batch: BatchId,
) -> rusqlite::Result<Option<(String, Error)>> {
    let mut last = failures_of(connection, batch, FEW)?;
    let mended = last.iter().position(|(_, error)| !error.is_final());
    Ok((!last.is_empty()).then(|| last.swap_remove(mended.unwrap_or(0))))
}

pub(super) fn failures_of(
    connection: &Connection,
    batch: BatchId,
    most: u32,
) -> rusqlite::Result<Vec<(String, Error)>> {
    let select = "SELECT job, error FROM item WHERE batch = ?1 AND state = 'failed' AND error IS NOT NULL \
                  ORDER BY number DESC LIMIT ?2";
    let read = |row: &Row<'_>| {
        Ok((
            row.get::<_, OfJson<Job>>(0)?.0.subject(),
            row.get::<_, OfJson<Error>>(1)?.0,
        ))
    };
    connection
        .prepare_cached(select)?
        .query_map((batch.0, most), read)?
        .collect()
}
