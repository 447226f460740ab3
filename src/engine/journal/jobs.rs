//! Jobs of a batch one by one: their state, and what is cancelled or done again of them alone.

use jiff::Timestamp;

use super::database::{Journal, time};
use super::steps::DOUBT;
use super::text::json;
use crate::api::Error;
use crate::api::ids::TaskId;
use crate::engine::batch::{BatchId, JobId};
use crate::engine::job::Job;
use crate::engine::queue_view::JobState;

/// Jobs of a batch that stand alike and are not at hand, in the order in which they are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JobFilter {
    Failed,
    Waiting,
    Cancelled,
    Done,
}

impl JobFilter {
    /// The names of what they are kept as.
    fn states(self) -> [&'static str; 2] {
        match self {
            Self::Failed => ["failed", "failed"],
            Self::Waiting => ["doubt", "waiting"],
            Self::Cancelled => ["cancelled", "cancelled"],
            Self::Done => ["done", "done"],
        }
    }
}

/// A job as it is kept.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Listed {
    pub(crate) number: u32,
    pub(crate) job: Job,
    pub(crate) state: JobState,
    pub(crate) bytes: Option<u64>,
    pub(crate) began: Option<Timestamp>,
    pub(crate) ended: Option<Timestamp>,
}

/// What a cancelled job was before it is done again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PreviousState {
    Failed,
    Cancelled,
}

impl Journal {
    /// So many of a batch's jobs that stand like this, without the first ones and those that are `at_hand`. One that
    /// cannot be read is left out.
    pub(crate) async fn list_jobs(
        &self,
        batch: BatchId,
        listing: JobFilter,
        at_hand: &[u32],
        skip: usize,
        most: usize,
    ) -> Result<Vec<Listed>, Error> {
        type DetailedJobRow = (i64, String, Option<i64>, String, Option<String>, Option<i64>, Option<i64>);
        // Those before the first one are passed in the index, without their rows.
        let select = "SELECT number, job, bytes, state, error, began, ended FROM \
                        (SELECT number AS shown FROM item WHERE batch = $1 AND state IN ($2, $3) \
                           AND number NOT IN (SELECT value FROM json_each($4)) \
                         ORDER BY state, number LIMIT $5 OFFSET $6) \
                      CROSS JOIN item ON batch = $1 AND number = shown ORDER BY state, number";
        let [one, other] = listing.states();
        let count = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        let select = sqlx::query_as(select).bind(batch.0).bind(one).bind(other);
        let select = select.bind(json(at_hand)).bind(count(most)).bind(count(skip));
        let rows: Vec<DetailedJobRow> = select.fetch_all(&self.pool).await.map_err(|error| self.failed(&error))?;
        let read = |(number, job, bytes, state, error, began, ended): DetailedJobRow| {
            let state = match (state.as_str(), error) {
                ("failed", error) => JobState::Failed(serde_json::from_str(&error?).ok()?),
                ("cancelled", error) => JobState::Cancelled { in_doubt: error.is_some() },
                ("done", _) => JobState::Done,
                _ => JobState::Waiting,
            };
            Some(Listed {
                number: u32::try_from(number).ok()?,
                job: serde_json::from_str(&job).ok()?,
                state,
                bytes: bytes.and_then(|bytes| u64::try_from(bytes).ok()),
                began: began.map(time),
                ended: ended.map(time),
            })
        };
        Ok(rows.into_iter().filter_map(read).collect())
    }

    /// Cancels a job that is not under way; whether it had not ended.
    pub(crate) async fn cancel_job(&self, JobId { batch, number }: JobId, in_doubt: bool) -> Result<bool, Error> {
        let cancel = "UPDATE item SET state = 'cancelled', ended = $5, \
                        error = CASE WHEN state = 'doubt' OR $3 THEN $4 END \
                      WHERE batch = $1 AND number = $2 AND state IN ('waiting', 'doubt', 'sent')";
        let cancel = sqlx::query(cancel)
            .bind(batch.0)
            .bind(number)
            .bind(in_doubt)
            .bind(DOUBT)
            .bind(Timestamp::now().as_millisecond());
        Ok(self.alter(cancel).await? > 0)
    }

    /// The service's own task behind a job; none where it had not taken it, or the task failed.
    pub(crate) async fn task_of(&self, JobId { batch, number }: JobId) -> Result<Option<TaskId>, Error> {
        let select = "SELECT task FROM item WHERE batch = $1 AND number = $2 AND task IS NOT NULL";
        let select = sqlx::query_scalar(select).bind(batch.0).bind(number).fetch_optional(&self.pool);
        let task: Option<String> = select.await.map_err(|error| self.failed(&error))?;
        Ok(task.map(TaskId::new))
    }

    /// Lets a job be done again that failed or was cancelled, and its batch continue; none if it is neither.
    pub(crate) async fn retry_job(&self, id: JobId) -> Result<Option<PreviousState>, Error> {
        self.retry_one(id).await.map_err(|error| self.failed(&error))
    }

    async fn retry_one(&self, JobId { batch, number }: JobId) -> Result<Option<PreviousState>, sqlx::Error> {
        let mut change = self.begin().await?;
        let select = "SELECT state FROM item WHERE batch = $1 AND number = $2";
        let state: Option<(String,)> =
            sqlx::query_as(select).bind(batch.0).bind(number).fetch_optional(&mut *change).await?;
        let was = match state.as_ref().map(|(state,)| state.as_str()) {
            Some("failed") => PreviousState::Failed,
            Some("cancelled") => PreviousState::Cancelled,
            _ => return Ok(None),
        };
        let retry = "UPDATE item SET error = NULL, began = NULL, ended = NULL, \
                       state = CASE WHEN error ->> 'in_doubt' THEN 'doubt' ELSE 'waiting' END \
                     WHERE batch = $1 AND number = $2";
        sqlx::query(retry).bind(batch.0).bind(number).execute(&mut *change).await?;
        let open = "UPDATE batch SET ended_at = NULL WHERE number = $1";
        sqlx::query(open).bind(batch.0).execute(&mut *change).await?;
        self.commit(change).await?;
        Ok(Some(was))
    }
}
