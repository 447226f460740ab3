//! The names in the account that uploads of this machine have taken: those that other tasks and
//! processes are uploading, and those that they have stored since.

use std::collections::{HashMap, HashSet};

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, Transaction};

use super::batches::{PendingJob, Rivals};
use super::database::{Journal, time};
use super::run;
use super::text::json;
use crate::api::Error;
use crate::engine::batch::{BatchId, JobId};

/// The claim of another upload to a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameClaim {
    UnderWay,
    Stored,
}

/// The time for which stored names are known. Plans are accepted sooner.
const KNOWN_FOR: SignedDuration = SignedDuration::from_hours(1);

/// The condition for other uploads: those that are running, and those that wait, unless for the
/// user. One that yields to another has no claim: otherwise, each of two could wait for the other.
const UNDER_WAY: &str = "ended_at IS NULL AND NOT yields AND (state = 'sent' OR (state IN ('waiting', 'doubt') AND held IS NULL))";

/// The paths of jobs of a batch.
const WANTED: &str = "SELECT number AS own, path AS wanted FROM item \
                      WHERE batch = ?1 AND number IN (SELECT value FROM json_each(?3)) AND path IS NOT NULL";

impl Journal {
    /// Returns those of these paths at which an upload of this machine is to be stored.
    pub(crate) async fn under_way(&self, paths: &[String]) -> Result<HashSet<String>, Error> {
        let select = format!(
            "SELECT DISTINCT path, run FROM item JOIN batch ON batch.number = item.batch \
             WHERE path IN (SELECT value FROM json_each(?2)) AND account = ?1 AND {UNDER_WAY}"
        );
        let paths = json(paths);
        let find = move |journal: &Self, connection: &Connection| {
            let (mut runs, mut found) = (Runs::new(journal), HashSet::new());
            let mut select = connection.prepare_cached(&select)?;
            for row in select.query_map((&journal.account, paths), |row| {
                <(String, String)>::try_from(row)
            })? {
                let (path, run) = row?;
                if runs.goes_on(&run) {
                    found.insert(path);
                }
            }
            Ok(found)
        };
        self.read(find).await
    }

    /// Returns the claim of another upload to the name that this one requests; if there is none,
    /// this one has it.
    pub(crate) async fn claim(
        &self,
        JobId { batch, number }: JobId,
        free_at: Timestamp,
    ) -> Result<Option<NameClaim>, Error> {
        let claim = move |journal: &Self, change: &Transaction<'_>| {
            let taken = journal.taken_of(change, batch, &HashMap::from([(number, free_at)]))?;
            let taken = taken.get(&number).copied();
            set_yields(change, batch, &[number], taken == Some(NameClaim::UnderWay))?;
            Ok(taken)
        };
        self.change_work(claim).await
    }

    /// Marks the jobs of a batch whose names other uploads have. Part of the transaction that
    /// records them as being sent: of two that request the same name, one is always first.
    pub(super) fn mark_taken(
        &self,
        change: &Connection,
        batch: BatchId,
        entries: &mut [PendingJob],
    ) -> rusqlite::Result<()> {
        let free = entries
            .iter()
            .filter_map(|entry| Some((entry.number, entry.job.free_at()?)))
            .collect();
        let taken = self.taken_of(change, batch, &free)?;
        let cut_short = self.cut_short(change, batch, &free)?;
        for entry in entries {
            entry.rivals = Rivals {
                have_name: taken.contains_key(&entry.number),
                may_store: cut_short.contains(&entry.number),
            };
        }
        set_yields(change, batch, &taken.into_keys().collect::<Vec<_>>(), true)
    }

    /// Returns others' claims to the names of jobs, given with when these were free. Later batches
    /// that wait yield.
    fn taken_of(
        &self,
        connection: &Connection,
        batch: BatchId,
        free: &HashMap<u32, Timestamp>,
    ) -> rusqlite::Result<HashMap<u32, NameClaim>> {
        if free.is_empty() {
            return Ok(HashMap::new());
        }
        let numbers = json(&free.keys().collect::<Vec<_>>());
        let values = (batch.0, &self.account, &numbers);
        let stored = format!(
            "SELECT own, stored_at FROM ({WANTED}) CROSS JOIN stored_path ON path = wanted AND account = ?2 AND batch <> ?1"
        );
        let mut taken = HashMap::new();
        let mut stored = connection.prepare_cached(&stored)?;
        for row in stored.query_map(values, |row| <(u32, i64)>::try_from(row))? {
            let (own, at) = row?;
            if free.get(&own).is_some_and(|free| time(at) >= *free) {
                taken.insert(own, NameClaim::Stored);
            }
        }
        let under_way = format!(
            "SELECT own, run FROM ({WANTED}) CROSS JOIN item ON path = wanted AND batch <> ?1 \
             JOIN batch ON batch.number = item.batch \
             WHERE account = ?2 AND {UNDER_WAY} AND (state = 'sent' OR batch < ?1)"
        );
        let mut under_way = connection.prepare_cached(&under_way)?;
        let mut runs = Runs::new(self);
        for row in under_way.query_map(values, |row| <(u32, String)>::try_from(row))? {
            let (own, run) = row?;
            if runs.goes_on(&run) {
                taken.insert(own, NameClaim::UnderWay);
            }
        }
        Ok(taken)
    }

    /// Returns the jobs at whose paths a task that was cut short may store a file yet.
    fn cut_short(
        &self,
        connection: &Connection,
        batch: BatchId,
        free: &HashMap<u32, Timestamp>,
    ) -> rusqlite::Result<HashSet<u32>> {
        let sent = format!(
            "SELECT own, run, state = 'sent' FROM ({WANTED}) CROSS JOIN item ON path = wanted AND batch <> ?1 \
             JOIN batch ON batch.number = item.batch \
             WHERE account = ?2 AND (state IN ('sent', 'doubt') OR error ->> 'in_doubt')"
        );
        let (mut runs, mut found) = (Runs::new(self), HashSet::new());
        let numbers = json(&free.keys().collect::<Vec<_>>());
        let mut sent = connection.prepare_cached(&sent)?;
        for row in sent.query_map((batch.0, &self.account, &numbers), |row| {
            <(u32, String, bool)>::try_from(row)
        })? {
            let (own, run, is_sent) = row?;
            if !(is_sent && runs.goes_on(&run)) {
                found.insert(own);
            }
        }
        Ok(found)
    }

    pub(super) fn forget_stored(&self, change: &Connection) -> rusqlite::Result<()> {
        let old = Timestamp::now()
            .saturating_sub(KNOWN_FOR)
            .unwrap_or(Timestamp::UNIX_EPOCH)
            .as_millisecond();
        let forget = "DELETE FROM stored_path WHERE account = ?1 AND stored_at < ?2";
        change
            .prepare_cached(forget)?
            .execute((&self.account, old))
            .map(drop)
    }
}

fn set_yields(
    change: &Connection,
    batch: BatchId,
    numbers: &[u32],
    yields: bool,
) -> rusqlite::Result<()> {
    let set = "UPDATE item SET yields = ?3 WHERE batch = ?1 AND number IN (SELECT value FROM json_each(?2))";
    change
        .prepare_cached(set)?
        .execute((batch.0, json(numbers), yields))
        .map(drop)
}

/// Looks up once for each run whether it continues.
struct Runs<'a> {
    journal: &'a Journal,
    known: HashMap<String, bool>,
}

impl<'a> Runs<'a> {
    fn new(journal: &'a Journal) -> Self {
        Self {
            journal,
            known: HashMap::new(),
        }
    }

    fn goes_on(&mut self, id: &str) -> bool {
        let Journal { run, path, .. } = self.journal;
        *self
            .known
            .entry(id.to_owned())
            .or_insert_with(|| id == run.id || !run::has_ended(path, id))
    }
}
