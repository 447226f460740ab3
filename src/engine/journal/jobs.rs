//! Jobs of a batch one by one: their states, and the cancellation or retry of one alone.

use jiff::Timestamp;
use rusqlite::types::ValueRef;
use rusqlite::{OptionalExtension as _, Row, Transaction};

use super::database::{Journal, size, time};
use super::steps::DOUBT;
use super::text::{OfJson, json};
use crate::api::Error;
use crate::api::ids::TaskId;
use crate::engine::batch::{BatchId, JobId};
use crate::engine::job::Job;
use crate::engine::queue_view::{BatchJob, JobState};

/// The jobs of a batch in one state that are not at hand, in the order in which they are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JobFilter {
    Failed,
    Waiting,
    Cancelled,
    Done,
}

impl JobFilter {
    /// Returns the names under which the state is stored.
    fn states(self) -> [&'static str; 2] {
        match self {
            Self::Failed => ["failed", "failed"],
            Self::Waiting => ["doubt", "waiting"],
            Self::Cancelled => ["cancelled", "cancelled"],
            Self::Done => ["done", "done"],
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PreviousState {
    Failed,
    Cancelled,
}

impl Journal {
    /// Returns up to `most` jobs in this state, past `skip` and those `at_hand`. Leaves out what
    /// cannot be read.
    pub(crate) async fn list_jobs(
        &self,
        batch: BatchId,
        listing: JobFilter,
        at_hand: &[u32],
        skip: usize,
        most: usize,
    ) -> Result<Vec<BatchJob>, Error> {
        // The skipped ones are passed in the index, without their rows.
        let select = "SELECT number, job, bytes, state, error, began, ended, stored FROM \
                        (SELECT number AS shown FROM item WHERE batch = ?1 AND state IN (?2, ?3) \
                           AND number NOT IN (SELECT value FROM json_each(?4)) \
                         ORDER BY state, number LIMIT ?5 OFFSET ?6) \
                      CROSS JOIN item ON batch = ?1 AND number = shown ORDER BY state, number";
        let [one, other] = listing.states();
        let count = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        let values = (batch.0, one, other, json(at_hand), count(most), count(skip));
        let jobs = self
            .find(select, values, move |row| Ok(listed(batch, row).ok()))
            .await?;
        Ok(jobs.into_iter().flatten().collect())
    }

    /// Cancels a job that is not running; returns `true` if it had not ended.
    pub(crate) async fn cancel_job(
        &self,
        JobId { batch, number }: JobId,
        in_doubt: bool,
    ) -> Result<bool, Error> {
        let cancel = "UPDATE item SET state = 'cancelled', ended = ?5, \
                        error = CASE WHEN state = 'doubt' OR ?3 THEN ?4 END \
                      WHERE batch = ?1 AND number = ?2 AND state IN ('waiting', 'doubt', 'sent')";
        let values = (
            batch.0,
            number,
            in_doubt,
            DOUBT,
            Timestamp::now().as_millisecond(),
        );
        Ok(self.change_by(cancel, values).await? > 0)
    }

    /// Returns the last task of the service behind a job, even if it has ended; `None` if none is
    /// known.
    pub(crate) async fn task_of(
        &self,
        JobId { batch, number }: JobId,
    ) -> Result<Option<TaskId>, Error> {
        let select = "SELECT id FROM service_task WHERE batch = ?1 AND number = ?2";
        let task = self
            .find(select, (batch.0, number), |row| row.get::<_, String>(0))
            .await?
            .pop();
        Ok(task.map(TaskId::new))
    }

    /// Lets a failed or cancelled job be done again, and its batch continue; returns `None` if it
    /// is neither.
    pub(crate) async fn retry_job(
        &self,
        JobId { batch, number }: JobId,
    ) -> Result<Option<PreviousState>, Error> {
        let select = "SELECT state FROM item WHERE batch = ?1 AND number = ?2";
        let retry = "UPDATE item SET error = NULL, began = NULL, ended = NULL, \
                       state = CASE WHEN error ->> 'in_doubt' THEN 'doubt' ELSE 'waiting' END \
                     WHERE batch = ?1 AND number = ?2";
        let open = "UPDATE batch SET ended_at = NULL WHERE number = ?1";
        let again = move |_: &Self, change: &Transaction<'_>| {
            let mut state = change.prepare_cached(select)?;
            let state: Option<String> = state
                .query_row((batch.0, number), |row| row.get(0))
                .optional()?;
            let was = match state.as_deref() {
                Some("failed") => PreviousState::Failed,
                Some("cancelled") => PreviousState::Cancelled,
                _ => return Ok(None),
            };
            change.prepare_cached(retry)?.execute((batch.0, number))?;
            change.prepare_cached(open)?.execute([batch.0])?;
            Ok(Some(was))
        };
        self.change_work(again).await
    }
}

fn listed(batch: BatchId, row: &Row<'_>) -> rusqlite::Result<BatchJob> {
    let state = match row.get_ref("state")?.as_str()? {
        "failed" => JobState::Failed(row.get::<_, OfJson<Error>>("error")?.0),
        "cancelled" => JobState::Cancelled {
            in_doubt: row.get_ref("error")? != ValueRef::Null,
        },
        "done" => JobState::Done,
        _ => JobState::Waiting,
    };
    Ok(BatchJob {
        id: JobId {
            batch,
            number: row.get("number")?,
        },
        job: row.get::<_, OfJson<Job>>("job")?.0,
        state,
        bytes: size(row.get("bytes")?),
        started_at: row.get::<_, Option<i64>>("began")?.map(time),
        ended_at: row.get::<_, Option<i64>>("ended")?.map(time),
        stored: row
            .get::<_, Option<OfJson<_>>>("stored")?
            .map(|stored| stored.0),
    })
}
