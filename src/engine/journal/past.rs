//! Batches that ended before this run, to give a journal a past.

use jiff::Timestamp;
use rusqlite::Connection;

use super::batches::{NewBatch, PendingJob};
use super::database::Journal;
use super::steps::{Mark, MarkedJob, begin, end, mark_all};
use crate::api::Error;
use crate::engine::batch::{kind, label};
use crate::engine::job::Job;

#[derive(Debug, Clone, PartialEq)]
pub struct PastBatches {
    pub jobs: Vec<PastJob>,
    pub asked_at: Timestamp,
    pub ended_at: Timestamp,
}

#[derive(Debug, Clone, PartialEq)]
pub struct PastJob {
    pub job: Job,
    /// The bytes that it moves, if known.
    pub bytes: Option<u64>,
    /// The reason why it failed; `None` if it was done.
    pub error: Option<Error>,
}

impl Journal {
    /// Records ended batches as this run's, all of them or none.
    pub async fn add_past(&self, past: &[PastBatches]) -> Result<(), Error> {
        let past = past.to_vec();
        self.change(move |journal, change| {
            past.iter()
                .try_for_each(|past| journal.insert_past(change, past))
        })
        .await
    }

    fn insert_past(&self, change: &Connection, past: &PastBatches) -> rusqlite::Result<()> {
        let PastBatches {
            jobs,
            asked_at,
            ended_at,
        } = past;
        let all: Vec<Job> = jobs.iter().map(|past| past.job.clone()).collect();
        let Some(kind) = kind(&all) else {
            return Ok(());
        };
        let asked = NewBatch {
            kind,
            label: label(&all, &self.account),
            script: false,
            at: *asked_at,
        };
        let pending =
            |(number, past): (u32, &PastJob)| PendingJob::new(number, past.job.clone(), past.bytes);
        let written: Vec<PendingJob> = (0..).zip(jobs).map(pending).collect();
        let mark = |(number, past): (u32, &PastJob)| {
            let mark = past.error.clone().map_or(Mark::Done(None), Mark::Failed);
            MarkedJob {
                number,
                mark,
                began: *asked_at,
                ended: *ended_at,
            }
        };
        let marks: Vec<MarkedJob> = (0..).zip(jobs).map(mark).collect();
        let id = self.insert(change, &asked, &written)?;
        begin(change, id, *asked_at)?;
        mark_all(change, id, &marks)?;
        end(change, id, *ended_at)
    }
}
