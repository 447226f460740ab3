//! The queue as it is shown: the rows of the window, with the jobs of unfolded batches. The cost
//! depends on the window, however many jobs there are.

use std::ops::Range;

use super::active_batch::ActiveBatch;
use super::order;
use super::scheduler::Scheduler;
use crate::api::Error;
use crate::engine::batch::{BatchId, JobId};
use crate::engine::journal::{JobFilter, Journal, PendingJob};
use crate::engine::queue_view::{BatchJob, JobState, OlderTasks, QueueRow, QueueView};

impl Scheduler {
    pub(super) async fn view(&self) -> QueueView {
        let (mut view, stretches) = order::view(&self.batches, self.shown);
        for stretch in stretches {
            if stretch.batch == OlderTasks::ID {
                view.window.push(QueueRow::Older(view.older));
                continue;
            }
            let Some(live) = self.batches.get(&stretch.batch) else {
                continue;
            };
            if stretch.rows.contains(&0) {
                view.window.push(QueueRow::Batch(live.view()));
            }
            let jobs = stretch.rows.start.max(1) - 1..stretch.rows.end.max(1) - 1;
            if jobs.is_empty() {
                continue;
            }
            let wanted = jobs.len();
            match self.jobs(live, jobs).await {
                Ok(jobs) => {
                    let is_short = jobs.len() < wanted;
                    view.window.extend(jobs.into_iter().map(QueueRow::Job));
                    // Rows after those that cannot be read would not be in their place.
                    if is_short {
                        break;
                    }
                }
                Err(error) => {
                    tracing::warn!(%error, "the jobs of a task cannot be read");
                    break;
                }
            }
        }
        view
    }

    /// Returns jobs of a batch in the order of their states: running, failed, next, waiting,
    /// cancelled, done.
    async fn jobs(&self, live: &ActiveBatch, wanted: Range<usize>) -> Result<Vec<BatchJob>, Error> {
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
            below: 0,
            job: entry.job.clone(),
            state,
            bytes: entry.bytes,
            started_at,
            ended_at: None,
        };
        let mut list = VisibleRows {
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

struct VisibleRows<'a> {
    journal: &'a Journal,
    batch: BatchId,
    /// The jobs that are not read from the journal.
    at_hand: Vec<u32>,
    wanted: Range<usize>,
    /// The number of jobs passed so far, wanted or not.
    passed: usize,
    jobs: Vec<BatchJob>,
}

impl VisibleRows<'_> {
    /// Returns which of the next `count` jobs are wanted.
    fn part_of(&self, count: usize) -> Range<usize> {
        let within = |at: usize| at.saturating_sub(self.passed).min(count);
        within(self.wanted.start)..within(self.wanted.end)
    }

    fn add(&mut self, jobs: impl IntoIterator<Item = BatchJob>) {
        for mut job in jobs {
            job.below = self.wanted.start + self.jobs.len() + 1;
            self.jobs.push(job);
        }
    }

    fn add_at_hand(&mut self, all: impl ExactSizeIterator<Item = BatchJob>) {
        let count = all.len();
        let part = self.part_of(count);
        self.add(all.skip(part.start).take(part.len()));
        self.passed += count;
    }

    async fn read(&mut self, filter: JobFilter, count: usize) -> Result<(), Error> {
        let part = self.part_of(count);
        if !part.is_empty() {
            let (journal, at_hand) = (self.journal, &self.at_hand);
            let jobs = journal.list_jobs(self.batch, filter, at_hand, part.start, part.len());
            self.add(jobs.await?);
        }
        self.passed += count;
        Ok(())
    }
}
