//! Controls for batches: pause, resume, cancel, retry.

use super::active_batch::ActiveBatch;
use super::mode::QueueMode;
use super::scheduler::Scheduler;
use crate::api::{Error, Kind};
use crate::engine::batch::{BatchId, Control, Hold};
use crate::engine::journal::HoldState;

const MOST_FAILURES: u32 = 100;

impl Scheduler {
    pub(super) async fn control(&mut self, control: Control) -> Result<(), Error> {
        match control {
            Control::Pause(id) => self.pause(id).await,
            Control::Resume(id) => self.resume(id).await,
            Control::Cancel(id) => self.cancel(id).await,
            Control::Retry(id) => self.retry(id, true).await,
            Control::RetryFailed { older } => {
                let failed = self
                    .batches
                    .values()
                    .filter(|live| live.is_ended() && live.counts.failed > 0)
                    .filter(|live| !live.has_final_failure());
                let failed = failed
                    .filter(|live| older || !live.ended_before(self.since))
                    .filter(|live| self.check_writable(live.kind).is_ok());
                for id in failed.map(|live| live.id).collect::<Vec<_>>() {
                    self.retry(id, false).await?;
                }
                Ok(())
            }
            Control::CancelJob(id) => self.cancel_job(id).await,
            Control::RetryJob(id) => self.retry_job(id).await,
            Control::MoveToTop(id) => self.sooner(id).await,
            Control::PauseQueue(draining) => {
                self.draining = draining;
                Ok(())
            }
            Control::ClearEnded => {
                let ended = || self.batches.values().filter(|live| live.is_ended());
                let mut settled: Vec<BatchId> = ended()
                    .filter(|live| live.counts.failed == 0)
                    .map(|live| live.id)
                    .collect();
                if settled.is_empty() {
                    settled = ended().map(|live| live.id).collect();
                }
                self.forget(settled).await
            }
        }
    }

    pub(super) async fn failures(&self, id: BatchId) -> Result<Vec<(String, Error)>, Error> {
        let mut failures = self.tools.journal.failures(id, MOST_FAILURES).await?;
        failures.reverse();
        Ok(failures)
    }

    async fn pause(&mut self, id: BatchId) -> Result<(), Error> {
        self.live(id)?;
        self.tools.journal.hold(id, Some(HoldState::Paused)).await?;
        self.live(id)?.hold = Some(Hold::Paused);
        Ok(())
    }

    async fn resume(&mut self, id: BatchId) -> Result<(), Error> {
        let kind = self.live(id)?.kind;
        self.check_writable(kind)?;
        self.tools.journal.hold(id, None).await?;
        self.live(id)?.hold = None;
        Ok(())
    }

    /// Starts nothing more of it; running transfers and watches are given up, changes that were
    /// sent run to their end.
    async fn cancel(&mut self, id: BatchId) -> Result<(), Error> {
        let live = self.live(id)?;
        live.cancelled = true;
        for running in live.running.values() {
            running.token.cancel();
        }
        let written = self.cancel_rest(id).await;
        self.end_if_over(id).await;
        written
    }

    /// Counts what is not running as cancelled.
    pub(super) async fn cancel_rest(&mut self, id: BatchId) -> Result<(), Error> {
        let live = self.live(id)?;
        let doubtful = live
            .chunk
            .iter()
            .filter(|entry| entry.in_doubt)
            .map(|entry| entry.number);
        let doubtful: Vec<u32> = doubtful.chain(live.running.keys().copied()).collect();
        live.chunk.clear();
        live.counts.cancelled += live.waiting();
        live.hold = None;
        self.write(id).await?;
        self.tools.journal.cancel(id, &doubtful).await
    }

    /// Retries a batch; a script first takes it over from the run that left it.
    async fn retry(&mut self, id: BatchId, cancelled_too: bool) -> Result<(), Error> {
        if self.mode == QueueMode::Script && !self.batches.contains_key(&id) {
            let left = self.tools.journal.take_over_one(id).await?;
            self.batches.insert(id, ActiveBatch::of(left));
        }
        let kind = self.over(id)?.kind;
        self.check_writable(kind)?;
        // Its end may not have been recorded yet.
        self.write(id).await?;
        self.tools.journal.end(id).await?;
        self.tools.journal.retry(id, cancelled_too).await?;
        let live = self.over(id)?;
        live.counts.failed = 0;
        if cancelled_too {
            live.counts.cancelled = 0;
        }
        (live.ended_at, live.failure, live.cancelled) = (None, None, false);
        live.stalls.clear();
        self.end_if_over(id).await;
        Ok(())
    }

    /// Puts a batch before all others: with a rank below one, bulk need not wait for what a person
    /// waits for.
    async fn sooner(&mut self, id: BatchId) -> Result<(), Error> {
        let first = self
            .batches
            .values()
            .filter(|live| !live.is_ended())
            .map(|live| live.rank)
            .min()
            .unwrap_or(0);
        let rank = first.min(1) - 1;
        self.live(id)?;
        self.tools.journal.set_rank(id, rank).await?;
        self.live(id)?.rank = rank;
        Ok(())
    }

    async fn forget(&mut self, ids: Vec<BatchId>) -> Result<(), Error> {
        self.tools.journal.forget(&ids).await?;
        for id in ids {
            self.batches.remove(&id);
        }
        Ok(())
    }

    /// Returns a batch that has not ended.
    pub(super) fn live(&mut self, id: BatchId) -> Result<&mut ActiveBatch, Error> {
        let live = self.batches.get_mut(&id).filter(|live| !live.is_ended());
        live.ok_or_else(|| Error::new(Kind::Refused, "This task has ended"))
    }

    /// Returns a batch that has ended.
    fn over(&mut self, id: BatchId) -> Result<&mut ActiveBatch, Error> {
        let ended = self.batches.get_mut(&id).filter(|live| live.is_ended());
        ended.ok_or_else(|| Error::new(Kind::Refused, "This task is running"))
    }
}
