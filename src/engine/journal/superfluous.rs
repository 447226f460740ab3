//! Jobs left by scripts that nobody need do anymore: a later script has done them.

use jiff::Timestamp;
use rusqlite::Transaction;

use super::database::Journal;
use crate::api::Error;
use crate::engine::batch::BatchId;

/// The number of ended batches of scripts that are kept for each account.
const SCRIPTS_KEPT: u32 = 20;

/// A job without what tells two plans of the same work apart: ids of folders, sizes, times, what
/// was there before, and the part of an upload's path that was a folder then. Whether its name has
/// to be free is kept.
const WISH: &str = "(SELECT coalesce(item.path, '') \
                       || json_group_object(fullkey, CASE key WHEN 'free_at' THEN 1 ELSE atom END) \
                     FROM json_tree(item.job) \
                     WHERE atom IS NOT NULL AND key NOT IN ('id', 'size', 'modified') \
                       AND fullkey NOT GLOB '*.seen*' AND fullkey NOT GLOB '*.state*' \
                       AND (item.path IS NULL OR (fullkey NOT GLOB '*.into.*' AND key <> 'name')))";

impl Journal {
    /// Forgets what scripts have done and reported. What a batch has done counts as done for the
    /// same jobs of batches that ended runs have left. For the last few scripts, what failed or was
    /// not done stays, to be requested again.
    pub(crate) async fn forget_scripts(&self, ended: BatchId) -> Result<(), Error> {
        self.change_work(move |journal, change| journal.forget_done(change, ended))
            .await
    }

    fn forget_done(&self, change: &Transaction<'_>, ended: BatchId) -> rusqlite::Result<()> {
        let runs = "SELECT DISTINCT run FROM batch WHERE account = ?1 AND script";
        let runs = self.own_or_ended(change, runs, [&self.account])?;
        let settle = format!(
            "UPDATE item SET state = 'done', error = NULL WHERE state <> 'done' AND NOT partly AND batch IN \
               (SELECT number FROM batch WHERE account = ?1 AND script AND number <> ?2 \
                AND run IN (SELECT value FROM json_each(?3))) \
             AND {WISH} IN (SELECT {WISH} FROM item WHERE batch = ?2 AND state = 'done' AND NOT partly)"
        );
        change
            .prepare_cached(&settle)?
            .execute((&self.account, ended.0, &runs))?;
        let close = "UPDATE batch SET ended_at = ?2 WHERE account = ?1 AND script AND ended_at IS NULL \
                     AND run IN (SELECT value FROM json_each(?3)) \
                     AND NOT EXISTS (SELECT 1 FROM item WHERE batch = batch.number AND state <> 'done')";
        change.prepare_cached(close)?.execute((
            &self.account,
            Timestamp::now().as_millisecond(),
            &runs,
        ))?;
        let forget = "DELETE FROM batch WHERE account = ?1 AND script AND ended_at IS NOT NULL AND number NOT IN \
                      (SELECT number FROM batch AS kept WHERE account = ?1 AND script AND ended_at IS NOT NULL AND EXISTS \
                       (SELECT 1 FROM item WHERE batch = kept.number AND state IN ('failed', 'cancelled')) \
                       ORDER BY number DESC LIMIT ?2)";
        change
            .prepare_cached(forget)?
            .execute((&self.account, SCRIPTS_KEPT))
            .map(drop)
    }

    /// Forgets what ended runs of this command line have left, now that it has ended well: it
    /// compares anew what is to be done. Keeps imports, because their URLs may come from a list that
    /// has changed, and what the service still works on.
    pub async fn forget_command(&self) -> Result<(), Error> {
        let forget = |journal: &Self, change: &Transaction<'_>| {
            let of_command = "account = ?1 AND command = ?2 AND script AND verb <> 'import' \
                              AND NOT EXISTS (SELECT 1 FROM item WHERE batch = batch.number \
                                              AND task IS NOT NULL AND state <> 'done')";
            let runs = format!("SELECT DISTINCT run FROM batch WHERE {of_command}");
            let runs = journal.own_or_ended(change, &runs, (&journal.account, &journal.command))?;
            let forget = format!(
                "DELETE FROM batch WHERE {of_command} AND run IN (SELECT value FROM json_each(?3))"
            );
            change
                .prepare_cached(&forget)?
                .execute((&journal.account, &journal.command, runs))
                .map(drop)
        };
        self.change_work(forget).await
    }
}
