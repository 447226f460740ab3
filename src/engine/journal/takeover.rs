//! The work that earlier runs left: batches of ended runs are taken over whole, old ones are
//! forgotten.

use std::path::PathBuf;

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, Params, Row, Transaction};

use super::database::Journal;
use super::recorded::RecordedBatch;
use super::run;
use super::steps::end;
use super::text::{OfJson, json, word};
use crate::api::{Error, Kind};
use crate::engine::batch::BatchId;
use crate::engine::job::{Job, JobKind};

/// The time for which ended batches, and deletions, are remembered.
const KEPT_FOR: SignedDuration = SignedDuration::from_hours(30 * 24);

/// The most ended batches that are brought back.
const MOST_ENDED: u32 = 500;

impl Journal {
    /// Forgets what is old, of this run and of ended ones, and removes the locks of runs that were
    /// killed.
    pub(crate) async fn forget_old(&self) -> Result<(), Error> {
        self.change(|journal, change| journal.forget_all_old(change))
            .await
    }

    fn forget_all_old(&self, change: &Connection) -> rusqlite::Result<()> {
        run::sweep(&self.path);
        let old = Timestamp::now()
            .saturating_sub(KEPT_FOR)
            .unwrap_or(Timestamp::UNIX_EPOCH)
            .as_millisecond();
        let runs = "SELECT DISTINCT run FROM batch WHERE account = ?1 \
                    AND (ended_at < ?2 OR (script AND ended_at IS NULL AND asked_at < ?2))";
        let runs = self.own_or_ended(change, runs, (&self.account, old))?;
        let forget = "DELETE FROM batch WHERE account = ?1 AND run IN (SELECT value FROM json_each(?3)) \
                      AND (ended_at < ?2 OR (script AND ended_at IS NULL AND asked_at < ?2))";
        change
            .prepare_cached(forget)?
            .execute((&self.account, old, runs))?;
        self.forget_stored(change)?;
        for forget in [
            "DELETE FROM deletion WHERE account = ?1 AND deleted_at < ?2",
            "DELETE FROM folder_deletion WHERE account = ?1 AND deleted_at < ?2",
            "DELETE FROM noted_file WHERE account = ?1 AND noted_at < ?2",
        ] {
            change
                .prepare_cached(forget)?
                .execute((&self.account, old))?;
        }
        Ok(())
    }

    /// Takes over what ended runs left, except for what is old, and returns what this run has now,
    /// oldest first. Jobs that were being sent are in doubt. A batch that changes or deletes
    /// something waits for the user, as does one that a script requested; with `read_only`, all
    /// that change the account wait. Of jobs done in ended batches, only the count is kept, except for
    /// copies from an account.
    pub(crate) async fn take_over(&self, read_only: bool) -> Result<Vec<RecordedBatch>, Error> {
        self.forget_old().await?;
        self.change(move |journal, change| journal.take_over_all(change, read_only))
            .await
    }

    fn take_over_all(
        &self,
        change: &Connection,
        read_only: bool,
    ) -> rusqlite::Result<Vec<RecordedBatch>> {
        let others = "SELECT DISTINCT run FROM batch WHERE account = ?1 AND run <> ?2";
        let ended = self.own_or_ended(change, others, (&self.account, &self.run.id))?;
        let goes_on = |kind: &JobKind| kind.resumes_by_itself() && !(read_only && kind.is_change());
        let going_on: Vec<String> = JobKind::ALL
            .iter()
            .copied()
            .filter(goes_on)
            .map(word)
            .collect();
        let doubt = "UPDATE item SET state = 'doubt' WHERE state = 'sent' AND batch IN \
                     (SELECT number FROM batch WHERE account = ?1 AND run IN (SELECT value FROM json_each(?2)))";
        change
            .prepare_cached(doubt)?
            .execute((&self.account, &ended))?;
        // What the service already works on is only watched.
        let hold = "UPDATE batch SET held = 'restarted' WHERE account = ?1 AND ended_at IS NULL \
                    AND run IN (SELECT value FROM json_each(?2)) \
                    AND (script OR verb NOT IN (SELECT value FROM json_each(?3))) \
                    AND EXISTS (SELECT 1 FROM item WHERE batch = batch.number \
                                AND state IN ('waiting', 'doubt') AND task IS NULL)";
        change
            .prepare_cached(hold)?
            .execute((&self.account, &ended, json(&going_on)))?;
        let done = "FROM item WHERE item.batch = batch.number AND item.state = 'done' AND item.stored IS NULL";
        let ended_batches =
            "account = ?1 AND ended_at IS NOT NULL AND run IN (SELECT value FROM json_each(?2))";
        let sum = format!(
            "UPDATE batch SET done = done + (SELECT count(*) {done}), \
             moved = moved + (SELECT coalesce(sum(item.bytes), 0) {done}) WHERE {ended_batches}"
        );
        let forget = format!(
            "DELETE FROM item WHERE state = 'done' AND stored IS NULL AND batch IN (SELECT number FROM batch WHERE {ended_batches})"
        );
        for change_all in [sum, forget] {
            change.execute(&change_all, (&self.account, &ended))?;
        }
        // What a script could not do is for its user to request again.
        let take = "UPDATE batch SET run = ?3 WHERE account = ?1 AND run IN (SELECT value FROM json_each(?2)) \
                    AND NOT (script AND ended_at IS NOT NULL)";
        change
            .prepare_cached(take)?
            .execute((&self.account, &ended, &self.run.id))?;
        self.kept(change)
    }

    /// Takes over one batch of an ended run, like that of a script that has ended, too: the rest of
    /// it is cancelled, and in doubt where it was being sent.
    pub(crate) async fn take_over_one(&self, batch: BatchId) -> Result<RecordedBatch, Error> {
        let take = move |journal: &Self, change: &Transaction<'_>| {
            let runs = "SELECT run FROM batch WHERE account = ?1 AND number = ?2";
            let runs = journal.own_or_ended(change, runs, (&journal.account, batch.0))?;
            let take = "UPDATE batch SET run = ?3, script = 1 WHERE account = ?1 AND number = ?2 \
                        AND run IN (SELECT value FROM json_each(?4))";
            change.prepare_cached(take)?.execute((
                &journal.account,
                batch.0,
                &journal.run.id,
                runs,
            ))?;
            if change.changes() == 0 {
                return Ok(None);
            }
            end(change, batch, Timestamp::now())?;
            Ok(journal
                .kept(change)?
                .into_iter()
                .find(|kept| kept.id == batch))
        };
        let taken = self.change_work(take).await?;
        taken.ok_or_else(|| Error::new(Kind::Refused, "another filedeck works on this task"))
    }

    /// Returns this run and the ended ones among the runs that a query finds, as JSON.
    pub(super) fn own_or_ended(
        &self,
        connection: &Connection,
        runs: &str,
        values: impl Params,
    ) -> rusqlite::Result<String> {
        let mut runs = connection.prepare_cached(runs)?;
        let runs = runs
            .query_map(values, |row| row.get(0))?
            .collect::<Result<Vec<String>, _>>()?;
        let is_over = |run: &&String| **run == self.run.id || run::has_ended(&self.path, run);
        Ok(json(&runs.iter().filter(is_over).collect::<Vec<_>>()))
    }

    fn kept(&self, connection: &Connection) -> rusqlite::Result<Vec<RecordedBatch>> {
        let own = "account = ?1 AND run = ?2 AND (ended_at IS NULL OR number IN \
                     (SELECT number FROM batch WHERE account = ?1 AND run = ?2 AND ended_at IS NOT NULL \
                      ORDER BY ended_at DESC LIMIT ?3)) \
                   ORDER BY number";
        self.batches(connection, own, (&self.account, &self.run.id, MOST_ENDED))
    }

    /// Returns `true` if anything of the account waits, is running, or was cut short.
    pub async fn has_unfinished(&self) -> Result<bool, Error> {
        let select = "SELECT 1 FROM batch JOIN item ON item.batch = batch.number \
                      WHERE account = ?1 AND ended_at IS NULL AND state IN ('waiting', 'sent', 'doubt')";
        self.read(move |journal, connection| {
            connection
                .prepare_cached(select)?
                .exists([&journal.account])
        })
        .await
    }

    /// Returns the local folders that downloads in doubt go into, and their names there, as the
    /// jobs have them.
    pub(crate) async fn download_places(&self) -> Result<Vec<(PathBuf, Option<String>)>, Error> {
        let select = "SELECT item.job FROM item JOIN batch ON batch.number = item.batch \
                      WHERE account = ?1 AND run = ?2 AND verb = ?3 AND state = 'doubt'";
        let place = |row: &Row<'_>| match row.get::<_, OfJson<Job>>(0) {
            Ok(OfJson(Job::Download { into, name, .. })) => Ok(Some((into, name))),
            _ => Ok(None),
        };
        let values = (
            self.account.clone(),
            self.run.id.clone(),
            word(JobKind::Download),
        );
        Ok(self
            .find(select, values, place)
            .await?
            .into_iter()
            .flatten()
            .collect())
    }
}
