//! Which names in the account are taken by uploads of this machine: those that other tasks and processes have under way, and
//! those that they have stored since.

use std::collections::{HashMap, HashSet};

use jiff::{SignedDuration, Timestamp};
use sqlx::SqliteConnection;

use super::batches::PendingJob;
use super::database::{Journal, time};
use super::run;
use super::text::json;
use crate::api::Error;
use crate::engine::batch::{BatchId, JobId};

/// What another upload has done with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameClaim {
    UnderWay,
    Stored,
}

/// For so long it is known what was stored. Plans are accepted sooner.
const KNOWN_FOR: SignedDuration = SignedDuration::from_hours(1);

/// Of other uploads: those that were begun and have not ended, and those that wait, unless they wait for a key. One that
/// yields to another has no name: else each of two could wait for the other.
const UNDER_WAY: &str =
    "ended_at IS NULL AND NOT yields AND (state = 'sent' OR (state IN ('waiting', 'doubt') AND held IS NULL))";

impl Journal {
    /// Those of these paths at which an upload of this machine is to be stored.
    pub(crate) async fn under_way(&self, paths: &[String]) -> Result<HashSet<String>, Error> {
        let select = format!(
            "SELECT DISTINCT path, run FROM item JOIN batch ON batch.number = item.batch \
             WHERE path IN (SELECT value FROM json_each($2)) AND account = $1 AND {UNDER_WAY}"
        );
        let select = sqlx::query_as(sqlx::AssertSqlSafe(select)).bind(&self.account).bind(json(paths));
        let rows: Vec<(String, String)> = select.fetch_all(&self.pool).await.map_err(|error| self.failed(&error))?;
        let mut runs = Runs::new(self);
        Ok(rows.into_iter().filter(|(_, run)| runs.goes_on(run)).map(|(path, _)| path).collect())
    }

    /// Whether another upload has the name now that this one asks for; if none is to be stored there, this one has it.
    pub(crate) async fn claim(
        &self,
        JobId { batch, number }: JobId,
        free_at: Timestamp,
    ) -> Result<Option<NameClaim>, Error> {
        let claimed = async {
            let mut change = self.begin().await?;
            let taken = self.taken_of(&mut change, batch, &HashMap::from([(number, free_at)])).await?;
            let taken = taken.get(&number).copied();
            set_yields(&mut change, batch, &[number], taken == Some(NameClaim::UnderWay)).await?;
            self.commit(change).await?;
            Ok(taken)
        };
        claimed.await.map_err(|error: sqlx::Error| self.failed(&error))
    }

    /// Says of each of a batch's jobs whether another upload has its name. Part of the transaction that writes them down as
    /// being sent: of two that ask for the same name one is always first.
    pub(super) async fn mark_taken(
        &self,
        change: &mut SqliteConnection,
        batch: BatchId,
        entries: &mut [PendingJob],
    ) -> Result<(), sqlx::Error> {
        let free = entries.iter().filter_map(|entry| Some((entry.number, entry.job.free_at()?))).collect();
        let taken = self.taken_of(change, batch, &free).await?;
        for entry in entries {
            entry.is_taken = taken.contains_key(&entry.number);
        }
        set_yields(change, batch, &taken.into_keys().collect::<Vec<_>>(), true).await
    }

    /// Of these jobs, with when their names were free. What waits in a later batch comes second.
    async fn taken_of(
        &self,
        connection: &mut SqliteConnection,
        batch: BatchId,
        free: &HashMap<u32, Timestamp>,
    ) -> Result<HashMap<u32, NameClaim>, sqlx::Error> {
        if free.is_empty() {
            return Ok(HashMap::new());
        }
        let numbers = json(&free.keys().collect::<Vec<_>>());
        let wanted = "SELECT number AS own, path AS wanted FROM item \
                      WHERE batch = $1 AND number IN (SELECT value FROM json_each($3)) AND path IS NOT NULL";
        let stored = format!(
            "SELECT own, stored_at FROM ({wanted}) CROSS JOIN stored_path ON path = wanted AND account = $2 AND batch <> $1"
        );
        let stored = sqlx::query_as(sqlx::AssertSqlSafe(stored)).bind(batch.0).bind(&self.account).bind(&numbers);
        let stored: Vec<(u32, i64)> = stored.fetch_all(&mut *connection).await?;
        let is_since = |(number, at): &(u32, i64)| free.get(number).is_some_and(|free| time(*at) >= *free);
        let stored = stored.into_iter().filter(is_since).map(|(number, _)| (number, NameClaim::Stored));
        let under_way = format!(
            "SELECT own, run FROM ({wanted}) CROSS JOIN item ON path = wanted AND batch <> $1 \
             JOIN batch ON batch.number = item.batch \
             WHERE account = $2 AND {UNDER_WAY} AND (state = 'sent' OR batch < $1)"
        );
        let under_way = sqlx::query_as(sqlx::AssertSqlSafe(under_way)).bind(batch.0).bind(&self.account).bind(&numbers);
        let under_way: Vec<(u32, String)> = under_way.fetch_all(connection).await?;
        let mut runs = Runs::new(self);
        let under_way =
            under_way.into_iter().filter(|(_, run)| runs.goes_on(run)).map(|(own, _)| (own, NameClaim::UnderWay));
        Ok(stored.chain(under_way).collect())
    }

    pub(super) async fn forget_stored(&self) -> Result<(), sqlx::Error> {
        let old = Timestamp::now().saturating_sub(KNOWN_FOR).unwrap_or(Timestamp::UNIX_EPOCH).as_millisecond();
        let forget = sqlx::query("DELETE FROM stored_path WHERE account = $1 AND stored_at < $2");
        forget.bind(&self.account).bind(old).execute(&self.pool).await.map(drop)
    }
}

async fn set_yields(
    change: &mut SqliteConnection,
    batch: BatchId,
    numbers: &[u32],
    yields: bool,
) -> Result<(), sqlx::Error> {
    let set = "UPDATE item SET yields = $3 WHERE batch = $1 AND number IN (SELECT value FROM json_each($2))";
    sqlx::query(set).bind(batch.0).bind(json(numbers)).bind(yields).execute(change).await.map(drop)
}

/// Whether runs continue, each asked once.
struct Runs<'a> {
    journal: &'a Journal,
    known: HashMap<String, bool>,
}

impl<'a> Runs<'a> {
    fn new(journal: &'a Journal) -> Self {
        Self { journal, known: HashMap::new() }
    }

    fn goes_on(&mut self, id: &str) -> bool {
        let Journal { run, path, .. } = self.journal;
        *self.known.entry(id.to_owned()).or_insert_with(|| id == run.id || !run::has_ended(path, id))
    }
}
