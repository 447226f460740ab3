//! The jobs of a batch, listed by state. The cost depends on the range, however many there are.

use std::ops::Range;

use super::scheduler::Scheduler;
use crate::api::Error;
use crate::engine::batch::{BatchId, JobId};
use crate::engine::journal::{JobFilter, Journal, PendingJob};
use crate::engine::queue_view::{BatchJob, JobState};

impl Scheduler {
    /// Returns jobs of a batch in the order of their states: running, failed, next, waiting,
    /// cancelled, done.
    pub(super) async fn list_jobs(
        &mut self,
        id: BatchId,
        wanted: Range<usize>,
    ) -> Result<Vec<BatchJob>, Error> {
        // Results may not have been recorded yet.
        Journal::log_failure(self.write(id).await);
        let Some(live) = self.batches.get(&id) else {
            return Ok(Vec::new());
        };
        let counts = live.counts();
        let at_hand: Vec<u32> = live
            .running
            .keys()
            .copied()
            .chain(live.chunk.iter().map(|entry| entry.number))
            .collect();
        let shown = |entry: &PendingJob, state, started_at| BatchJob {
            id: JobId {
                batch: live.id,
                number: entry.number,
            },
            job: entry.job.clone(),
            state,
            bytes: entry.bytes,
            started_at,
            ended_at: None,
            stored: None,
        };
        let mut list = JobList {
            journal: &self.tools.journal,
            batch: live.id,
            at_hand,
            wanted,
            passed: 0,
            jobs: Vec::new(),
        };
        let running = live.running.values().map(|running| {
            let state = JobState::Running(running.progress.view());
            shown(&running.entry, state, Some(running.began))
        });
        list.add_at_hand(running);
        list.read(JobFilter::Failed, counts.failed).await?;
        let next = live.chunk.iter();
        list.add_at_hand(next.map(|entry| shown(entry, JobState::Waiting, None)));
        let waiting = counts.waiting().saturating_sub(live.chunk.len());
        list.read(JobFilter::Waiting, waiting).await?;
        list.read(JobFilter::Cancelled, counts.cancelled).await?;
        let done = counts.done.saturating_sub(live.unlisted);
        list.read(JobFilter::Done, done).await?;
        Ok(list.jobs)
    }
}

struct JobList<'a> {
    journal: &'a Journal,
    batch: BatchId,
    /// The jobs that are not read from the journal.
    at_hand: Vec<u32>,
    wanted: Range<usize>,
    /// The number of jobs passed so far, wanted or not.
    passed: usize,
    jobs: Vec<BatchJob>,
}

impl JobList<'_> {
    /// Returns which of the next `count` jobs are wanted.
    fn part_of(&self, count: usize) -> Range<usize> {
        let within = |at: usize| at.saturating_sub(self.passed).min(count);
        within(self.wanted.start)..within(self.wanted.end)
    }

    fn add_at_hand(&mut self, all: impl ExactSizeIterator<Item = BatchJob>) {
        let count = all.len();
        let part = self.part_of(count);
        self.jobs.extend(all.skip(part.start).take(part.len()));
        self.passed += count;
    }

    async fn read(&mut self, filter: JobFilter, count: usize) -> Result<(), Error> {
        let part = self.part_of(count);
        if !part.is_empty() {
            let (journal, at_hand) = (self.journal, &self.at_hand);
            let jobs = journal.list_jobs(self.batch, filter, at_hand, part.start, part.len());
            self.jobs.extend(jobs.await?);
        }
        self.passed += count;
        Ok(())
    }
}
