//! The queue as it is shown: the rows of the window, with the jobs of unfolded batches. The cost
//! depends on the window, however many jobs there are.

use std::ops::Range;

use super::active_batch::ActiveBatch;
use super::order;
use super::scheduler::Scheduler;
use crate::api::Error;
use crate::engine::batch::{BatchId, JobId};
use crate::engine::journal::{JobFilter, Listed};
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
                Ok(jobs) if jobs.len() == wanted => {
                    view.window.extend(jobs.into_iter().map(QueueRow::Job));
                }
                // Rows after those that cannot be read would not be in their place.
                Ok(jobs) => {
                    view.window.extend(jobs.into_iter().map(QueueRow::Job));
                    break;
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
        let mut list = VisibleRows {
            batch: live.id,
            wanted,
            passed: 0,
            jobs: Vec::new(),
        };
        list.add_at_hand(
            live.running.len(),
            live.running.iter().map(|(number, running)| Listed {
                number: *number,
                job: running.entry.job.clone(),
                state: JobState::Running(running.progress.view()),
                bytes: running.entry.bytes,
                began: Some(running.began),
                ended: None,
            }),
        );
        let journal = &self.tools.journal;
        for (listing, count) in [
            (Some(JobFilter::Failed), counts.failed),
            (None, live.chunk.len()),
            (
                Some(JobFilter::Waiting),
                counts.waiting().saturating_sub(live.chunk.len()),
            ),
            (Some(JobFilter::Cancelled), counts.cancelled),
            (
                Some(JobFilter::Done),
                counts.done.saturating_sub(live.unlisted),
            ),
        ] {
            let Some(listing) = listing else {
                list.add_at_hand(
                    count,
                    live.chunk.iter().map(|entry| Listed {
                        number: entry.number,
                        job: entry.job.clone(),
                        state: JobState::Waiting,
                        bytes: entry.bytes,
                        began: None,
                        ended: None,
                    }),
                );
                continue;
            };
            let part = list.part_of(count);
            if !part.is_empty() {
                list.add(
                    journal
                        .list_jobs(live.id, listing, &at_hand, part.start, part.len())
                        .await?,
                );
            }
            list.passed += count;
        }
        Ok(list.jobs)
    }
}

struct VisibleRows {
    batch: BatchId,
    wanted: Range<usize>,
    /// The number of jobs passed so far, wanted or not.
    passed: usize,
    jobs: Vec<BatchJob>,
}

impl VisibleRows {
    /// Returns which of the next `count` jobs are wanted.
    fn part_of(&self, count: usize) -> Range<usize> {
        let within = |at: usize| at.saturating_sub(self.passed).min(count);
        within(self.wanted.start)..within(self.wanted.end)
    }

    fn add(&mut self, listed: impl IntoIterator<Item = Listed>) {
        for Listed {
            number,
            job,
            state,
            bytes,
            began,
            ended,
        } in listed
        {
            let below = self.wanted.start + self.jobs.len() + 1;
            let id = JobId {
                batch: self.batch,
                number,
            };
            self.jobs.push(BatchJob {
                id,
                below,
                job,
                state,
                bytes,
                started_at: began,
                ended_at: ended,
            });
        }
    }

    fn add_at_hand(&mut self, count: usize, all: impl Iterator<Item = Listed>) {
        let part = self.part_of(count);
        self.add(all.skip(part.start).take(part.len()));
        self.passed += count;
    }
}
