//! A batch as it is recorded, with what its jobs add up to.

use jiff::Timestamp;
use rusqlite::{Connection, Params};

use super::batches::{HoldState, NewBatch, PendingJob, failure_of};
use super::database::{Journal, time};
use super::run;
use super::text::of_word;
use crate::api::Error;
use crate::engine::batch::{BatchId, Bytes, Counts};
use crate::engine::job::JobKind;

#[derive(Debug, Clone, PartialEq)]
pub struct RecordedBatch {
    pub id: BatchId,
    pub kind: JobKind,
    /// Safe to show.
    pub label: String,
    pub(crate) rank: i64,
    pub(crate) held: Option<HoldState>,
    pub counts: Counts,
    /// Jobs that are done and only counted.
    pub(crate) unlisted: usize,
    pub bytes: Bytes,
    /// Set if the process that has it is running.
    pub is_owned: bool,
    pub asked_at: Timestamp,
    pub started_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    /// The last failure that a retry can mend, else the last: what its job worked on, safe to show,
    /// and why.
    pub failure: Option<(String, Error)>,
}

impl RecordedBatch {
    /// Creates a batch that was just requested.
    pub(crate) fn new(id: BatchId, asked: NewBatch, jobs: &[PendingJob]) -> Self {
        let total = jobs
            .iter()
            .try_fold(0_u64, |sum, job| Some(sum + job.bytes?));
        Self {
            id,
            kind: asked.kind,
            label: asked.label,
            rank: id.0,
            held: None,
            counts: Counts {
                total: jobs.len(),
                ..Counts::default()
            },
            unlisted: 0,
            bytes: Bytes { done: 0, total },
            is_owned: true,
            asked_at: asked.at,
            started_at: None,
            ended_at: None,
            failure: None,
        }
    }

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
    /// Returns the batches that a condition selects, in the order that it ends with.
    pub(super) fn batches(
        &self,
        connection: &Connection,
        condition: &str,
        values: impl Params,
    ) -> rusqlite::Result<Vec<RecordedBatch>> {
        let select = "SELECT number, verb, label, rank, held, done, moved, run, asked_at, started_at, ended_at FROM batch";
        let mut batches = connection.prepare_cached(&format!("{select} WHERE {condition}"))?;
        let mut rows = batches.query(values)?;
        let mut all = Vec::new();
        while let Some(row) = rows.next()? {
            let Some(kind) = of_word(row.get_ref("verb")?.as_str()?) else {
                continue;
            };
            let (id, done) = (BatchId(row.get("number")?), row.get("done")?);
            let (counts, bytes) = counted(connection, id, done, row.get("moved")?)?;
            let held = row.get::<_, Option<String>>("held")?;
            let run = row.get_ref("run")?.as_str()?;
            all.push(RecordedBatch {
                id,
                kind,
                label: row.get("label")?,
                rank: row.get("rank")?,
                held: held.as_deref().and_then(of_word),
                counts,
                unlisted: usize::try_from(done).unwrap_or_default(),
                bytes,
                is_owned: run == self.run.id || !run::has_ended(&self.path, run),
                asked_at: time(row.get("asked_at")?),
                started_at: row.get::<_, Option<i64>>("started_at")?.map(time),
                ended_at: row.get::<_, Option<i64>>("ended_at")?.map(time),
                failure: failure_of(connection, id)?,
            });
        }
        Ok(all)
    }
}

/// Counts the jobs and bytes of a batch; `done` and `moved` are those that are only counted.
fn counted(
    connection: &Connection,
    batch: BatchId,
    done: i64,
    moved: i64,
) -> rusqlite::Result<(Counts, Bytes)> {
    let select = "SELECT state, count(*), coalesce(sum(bytes), 0), count(bytes) FROM item \
                  WHERE batch = ?1 GROUP BY state";
    let number = |count: i64| usize::try_from(count).unwrap_or_default();
    let mut counts = Counts {
        total: number(done),
        done: number(done),
        ..Counts::default()
    };
    let (mut moved, mut all, mut is_known) = (moved, moved, true);
    let mut states = connection.prepare_cached(select)?;
    for row in states.query_map([batch.0], |row| <(String, i64, i64, i64)>::try_from(row))? {
        let (state, count, bytes, known) = row?;
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
    Ok((
        counts,
        Bytes {
            done: whole(moved),
            total: is_known.then(|| whole(all)),
        },
    ))
}
