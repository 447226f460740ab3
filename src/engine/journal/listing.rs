//! The batches of an account, listed beside the processes that work on them: nothing is taken over.

use jiff::Timestamp;
use rusqlite::Connection;

use super::batches::failures_of;
use super::database::{Journal, time};
use super::run;
use super::takeover::counted;
use super::text::{OfJson, of_word};
use crate::api::Error;
use crate::engine::batch::{BatchId, Bytes, Counts};
use crate::engine::job::{Job, JobKind};

#[derive(Debug, Clone, PartialEq)]
pub struct ListedBatch {
    pub id: BatchId,
    pub kind: JobKind,
    /// Safe to show.
    pub label: String,
    pub counts: Counts,
    pub bytes: Bytes,
    /// Set if the process that has it is running.
    pub is_owned: bool,
    pub asked_at: Timestamp,
    pub started_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    /// The last failure: what its job worked on, safe to show, and why.
    pub failure: Option<(String, Error)>,
}

impl ListedBatch {
    /// Returns `true` if a process works on it.
    pub fn is_live(&self) -> bool {
        self.is_owned && self.ended_at.is_none()
    }

    /// Returns `true` if something of it is left that a command can do.
    pub fn can_retry(&self) -> bool {
        !self.is_owned
            && (self.ended_at.is_none() || self.counts.failed + self.counts.cancelled > 0)
    }
}

impl Journal {
    /// Returns all batches of the account, of all runs, newest first.
    pub async fn list_batches(&self) -> Result<Vec<ListedBatch>, Error> {
        self.read(Self::list_all_batches).await
    }

    fn list_all_batches(&self, connection: &Connection) -> rusqlite::Result<Vec<ListedBatch>> {
        let select = "SELECT number, verb, label, done, moved, run, asked_at, started_at, ended_at FROM batch \
                      WHERE account = ?1 ORDER BY number DESC";
        let mut batches = connection.prepare_cached(select)?;
        let mut rows = batches.query([&self.account])?;
        let mut all = Vec::new();
        while let Some(row) = rows.next()? {
            let Some(kind) = of_word(row.get_ref("verb")?.as_str()?) else {
                continue;
            };
            let id = BatchId(row.get("number")?);
            let (counts, bytes) = counted(connection, id, row.get("done")?, row.get("moved")?)?;
            let ended_at = row.get::<_, Option<i64>>("ended_at")?.map(time);
            all.push(ListedBatch {
                id,
                kind,
                label: row.get("label")?,
                counts,
                bytes,
                is_owned: !run::has_ended(&self.path, row.get_ref("run")?.as_str()?),
                asked_at: time(row.get("asked_at")?),
                started_at: row.get::<_, Option<i64>>("started_at")?.map(time),
                ended_at,
                failure: failures_of(connection, id, 1)?.pop(),
            });
        }
        Ok(all)
    }

    pub async fn undone_jobs(&self, batch: BatchId) -> Result<Vec<Job>, Error> {
        let select = "SELECT job FROM item WHERE batch = ?1 AND state <> 'done' ORDER BY number";
        self.find(select, [batch.0], |row| Ok(row.get::<_, OfJson<Job>>(0)?.0))
            .await
    }

    /// Forgets batches; no running process may work on them.
    pub async fn forget_batches(&self, batches: &[BatchId]) -> Result<(), Error> {
        self.forget(batches).await
    }
}
