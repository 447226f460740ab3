//! What earlier runs left: batches of runs that have ended are taken over whole, old ones are forgotten.

use std::path::PathBuf;

use jiff::{SignedDuration, Timestamp};

use super::batches::{HoldState, NewBatch, StoredJob};
use super::database::{Journal, time};
use super::run;
use super::text::{json, of_word, word};
use crate::api::Error;
use crate::engine::batch::{BatchId, Bytes, Counts};
use crate::engine::job::{Job, JobKind};

/// For so long a batch that has ended is remembered, and what was deleted.
const KEPT_FOR: SignedDuration = SignedDuration::from_hours(30 * 24);

/// More ended batches than these are not brought back.
const MOST_ENDED: u32 = 500;

/// A batch as it was left.
#[derive(Debug)]
pub(crate) struct AbandonedBatch {
    pub(crate) id: BatchId,
    pub(crate) kind: JobKind,
    pub(crate) label: String,
    pub(crate) rank: i64,
    pub(crate) held: Option<HoldState>,
    pub(crate) asked_at: Timestamp,
    pub(crate) started_at: Option<Timestamp>,
    pub(crate) ended_at: Option<Timestamp>,
    pub(crate) counts: Counts,
    /// Jobs that are done and only counted.
    pub(crate) unlisted: usize,
    pub(crate) bytes: Bytes,
    pub(crate) failure: Option<(String, Error)>,
}

impl AbandonedBatch {
    /// A batch that was just asked for.
    pub(crate) fn new(id: BatchId, asked: NewBatch, jobs: &[StoredJob]) -> Self {
        let total = jobs.iter().try_fold(0_u64, |sum, (_, _, bytes, _)| Some(sum + (*bytes)?));
        Self {
            id,
            kind: asked.kind,
            label: asked.label,
            rank: id.0,
            held: None,
            asked_at: asked.at,
            started_at: None,
            ended_at: None,
            counts: Counts { total: jobs.len(), ..Counts::default() },
            unlisted: 0,
            bytes: Bytes { done: 0, total },
            failure: None,
        }
    }
}

impl Journal {
    /// Forgets what is old, of this run and of those that have ended, and the locks of runs that were killed.
    pub(crate) async fn forget_old(&self) -> Result<(), Error> {
        self.forget_all_old().await.map_err(|error| self.failed(&error))
    }

    async fn forget_all_old(&self) -> Result<(), sqlx::Error> {
        run::sweep(&self.path);
        let old = Timestamp::now().saturating_sub(KEPT_FOR).unwrap_or(Timestamp::UNIX_EPOCH).as_millisecond();
        let runs = "SELECT DISTINCT run FROM batch WHERE account = $1 \
                    AND (ended_at < $2 OR (script AND ended_at IS NULL AND asked_at < $2))";
        let runs: Vec<(String,)> = sqlx::query_as(runs).bind(&self.account).bind(old).fetch_all(&self.pool).await?;
        let is_over = |run: &String| *run == self.run.id || run::has_ended(&self.path, run);
        let runs: Vec<String> = runs.into_iter().map(|(run,)| run).filter(is_over).collect();
        let forget = "DELETE FROM batch WHERE account = $1 AND run IN (SELECT value FROM json_each($3)) \
                      AND (ended_at < $2 OR (script AND ended_at IS NULL AND asked_at < $2))";
        let forget = sqlx::query(forget).bind(&self.account).bind(old).bind(json(&runs));
        forget.execute(&self.pool).await?;
        self.forget_stored().await?;
        for forget in [
            "DELETE FROM deletion WHERE account = $1 AND deleted_at < $2",
            "DELETE FROM folder_deletion WHERE account = $1 AND deleted_at < $2",
            "DELETE FROM noted_file WHERE account = $1 AND noted_at < $2",
        ] {
            sqlx::query(forget).bind(&self.account).bind(old).execute(&self.pool).await?;
        }
        Ok(())
    }

    /// Takes over what ended runs left but for what is old, and gives what this run has now, the oldest first. What was
    /// being sent is in doubt. What changes or deletes something waits for a key, and so does what a script asked for;
    /// if `read_only`, all that is no download.
    /// Of what was done in batches that have ended no more is kept than the count.
    pub(crate) async fn take_over(&self, read_only: bool) -> Result<Vec<AbandonedBatch>, Error> {
        self.take_over_all(read_only).await.map_err(|error| self.failed(&error))
    }

    async fn take_over_all(&self, read_only: bool) -> Result<Vec<AbandonedBatch>, sqlx::Error> {
        self.forget_all_old().await?;
        let others = "SELECT DISTINCT run FROM batch WHERE account = $1 AND run <> $2";
        let others: Vec<(String,)> =
            sqlx::query_as(others).bind(&self.account).bind(&self.run.id).fetch_all(&self.pool).await?;
        let ended: Vec<String> =
            others.into_iter().map(|(run,)| run).filter(|run| run::has_ended(&self.path, run)).collect();
        let mut change = self.pool.begin().await?;
        let goes_on = |kind: &JobKind| kind.resumes_by_itself() && !(read_only && kind.is_change());
        let going_on: Vec<String> = JobKind::ALL.iter().copied().filter(goes_on).map(word).collect();
        let doubt = "UPDATE item SET state = 'doubt' WHERE state = 'sent' AND batch IN \
                     (SELECT number FROM batch WHERE account = $1 AND run IN (SELECT value FROM json_each($2)))";
        sqlx::query(doubt).bind(&self.account).bind(json(&ended)).execute(&mut *change).await?;
        // What the service works on already is only watched.
        let hold = "UPDATE batch SET held = 'restarted' WHERE account = $1 AND ended_at IS NULL \
                    AND run IN (SELECT value FROM json_each($2)) \
                    AND (script OR verb NOT IN (SELECT value FROM json_each($3))) \
                    AND EXISTS (SELECT 1 FROM item WHERE batch = batch.number \
                                AND state IN ('waiting', 'doubt') AND task IS NULL)";
        let hold = sqlx::query(hold).bind(&self.account).bind(json(&ended)).bind(json(&going_on));
        hold.execute(&mut *change).await?;
        let done = "FROM item WHERE item.batch = batch.number AND item.state = 'done'";
        let ended_batches = "account = $1 AND ended_at IS NOT NULL AND run IN (SELECT value FROM json_each($2))";
        let sum = format!(
            "UPDATE batch SET done = done + (SELECT count(*) {done}), \
             moved = moved + (SELECT coalesce(sum(item.bytes), 0) {done}) WHERE {ended_batches}"
        );
        let forget = format!(
            "DELETE FROM item WHERE state = 'done' AND batch IN (SELECT number FROM batch WHERE {ended_batches})"
        );
        for change_all in [sum, forget] {
            let all = sqlx::query(sqlx::AssertSqlSafe(change_all)).bind(&self.account).bind(json(&ended));
            all.execute(&mut *change).await?;
        }
        // What a script could not do is its user's to ask for again.
        let take = "UPDATE batch SET run = $3 WHERE account = $1 AND run IN (SELECT value FROM json_each($2)) \
                    AND NOT (script AND ended_at IS NOT NULL)";
        let take = sqlx::query(take).bind(&self.account).bind(json(&ended)).bind(&self.run.id);
        take.execute(&mut *change).await?;
        change.commit().await?;
        self.kept().await
    }

    async fn kept(&self) -> Result<Vec<AbandonedBatch>, sqlx::Error> {
        type BatchRow = (i64, String, String, i64, Option<String>, i64, i64, i64, Option<i64>, Option<i64>);
        let select = "SELECT number, verb, label, rank, held, done, moved, asked_at, started_at, ended_at FROM batch \
                      WHERE account = $1 AND run = $2 AND (ended_at IS NULL OR number IN \
                        (SELECT number FROM batch WHERE account = $1 AND run = $2 AND ended_at IS NOT NULL \
                         ORDER BY ended_at DESC LIMIT $3)) \
                      ORDER BY number";
        let rows: Vec<BatchRow> = sqlx::query_as(select)
            .bind(&self.account)
            .bind(&self.run.id)
            .bind(MOST_ENDED)
            .fetch_all(&self.pool)
            .await?;
        let mut all = Vec::new();
        for (number, kind, label, rank, held, done, moved, asked, started, ended) in rows {
            let Some(kind) = of_word(&kind) else { continue };
            let (counts, bytes) = self.counted(number, done, moved).await?;
            all.push(AbandonedBatch {
                id: BatchId(number),
                kind,
                label,
                rank,
                held: held.as_deref().and_then(of_word),
                asked_at: time(asked),
                started_at: started.map(time),
                ended_at: ended.map(time),
                counts,
                unlisted: usize::try_from(done).unwrap_or_default(),
                bytes,
                failure: self.failures_of(BatchId(number), 1).await?.pop(),
            });
        }
        Ok(all)
    }

    /// How many jobs and bytes a batch has, beside those that are only counted.
    pub(super) async fn counted(&self, batch: i64, done: i64, moved: i64) -> Result<(Counts, Bytes), sqlx::Error> {
        let select = "SELECT state, count(*), coalesce(sum(bytes), 0), count(bytes) FROM item \
                      WHERE batch = $1 GROUP BY state";
        let rows: Vec<(String, i64, i64, i64)> = sqlx::query_as(select).bind(batch).fetch_all(&self.pool).await?;
        let number = |count: i64| usize::try_from(count).unwrap_or_default();
        let mut counts = Counts { total: number(done), done: number(done), ..Counts::default() };
        let (mut moved, mut all, mut is_known) = (moved, moved, true);
        for (state, count, bytes, known) in rows {
            counts.total += number(count);
            all += bytes;
            is_known &= known == count;
            match state.as_str() {
                "done" => (counts.done, moved) = (counts.done + number(count), moved + bytes),
                "failed" => counts.failed += number(count),
                "cancelled" => counts.cancelled += number(count),
                _ => {}
            }
        }
        let whole = |bytes: i64| u64::try_from(bytes).unwrap_or_default();
        Ok((counts, Bytes { done: whole(moved), total: is_known.then(|| whole(all)) }))
    }

    /// Whether anything of the account waits, is under way or was cut short.
    pub async fn has_unfinished(&self) -> Result<bool, Error> {
        let select = "SELECT EXISTS (SELECT 1 FROM batch JOIN item ON item.batch = batch.number \
                      WHERE account = $1 AND ended_at IS NULL AND state IN ('waiting', 'sent', 'doubt'))";
        let found = sqlx::query_scalar(select).bind(&self.account).fetch_one(&self.pool).await;
        found.map_err(|error| self.failed(&error))
    }

    /// The folders of this machine that downloads in doubt go into, and their names there, as the jobs have them.
    pub(crate) async fn download_places(&self) -> Result<Vec<(PathBuf, Option<String>)>, Error> {
        let select = "SELECT item.job FROM item JOIN batch ON batch.number = item.batch \
                      WHERE account = $1 AND run = $2 AND verb = $3 AND state = 'doubt'";
        let rows: Vec<(String,)> = sqlx::query_as(select)
            .bind(&self.account)
            .bind(&self.run.id)
            .bind(word(JobKind::Download))
            .fetch_all(&self.pool)
            .await
            .map_err(|error| self.failed(&error))?;
        let place = |(job,): (String,)| match serde_json::from_str(&job) {
            Ok(Job::Download { into, name, .. }) => Some((into, name)),
            _ => None,
        };
        Ok(rows.into_iter().filter_map(place).collect())
    }
}
