//! Controls for one job of a batch.

use super::scheduler::Scheduler;
use crate::api::{Error, Kind};
use crate::engine::batch::JobId;
use crate::engine::job::Pool;
use crate::engine::journal::PreviousState;

impl Scheduler {
    /// Takes a waiting job out of its batch, or gives up a running transfer or watch. Refused for a
    /// running change.
    pub(super) async fn cancel_job(&mut self, id: JobId) -> Result<(), Error> {
        let live = self.live(id.batch)?;
        if let Some(running) = live.running.get_mut(&id.number) {
            if running.entry.job.kind().pool() == Pool::Edit {
                return Err(Error::new(
                    Kind::Refused,
                    "It is under way, and a change cannot be interrupted",
                ));
            }
            running.given_up = true;
            running.token.cancel();
            return Ok(());
        }
        let in_doubt = live
            .chunk
            .iter()
            .any(|entry| entry.number == id.number && entry.in_doubt);
        // Its result may not have been recorded yet.
        self.write(id.batch).await?;
        if !self.tools.journal.cancel_job(id, in_doubt).await? {
            return Err(Error::new(Kind::Refused, "This item has ended"));
        }
        let live = self.live(id.batch)?;
        live.chunk.retain(|entry| entry.number != id.number);
        live.counts.cancelled += 1;
        self.end_if_over(id.batch).await;
        Ok(())
    }

    /// Retries a job that failed or was cancelled; its batch continues if it had ended.
    pub(super) async fn retry_job(&mut self, id: JobId) -> Result<(), Error> {
        let gone = || Error::new(Kind::Refused, "This task no longer exists");
        let refused = |why| Err(Error::new(Kind::Refused, why));
        let live = self.batches.get(&id.batch).ok_or_else(gone)?;
        self.check_writable(live.kind)?;
        if live.cancelled && !live.is_ended() {
            return refused("This task is being canceled");
        }
        // Neither its result nor the end of its batch may have been recorded yet.
        let is_ended = live.is_ended();
        self.write(id.batch).await?;
        if is_ended {
            self.tools.journal.end(id.batch).await?;
        }
        let Some(was) = self.tools.journal.retry_job(id).await? else {
            return refused("Only failed or canceled items can be started again");
        };
        let failure = self.tools.journal.failure(id.batch).await?;
        let live = self.batches.get_mut(&id.batch).ok_or_else(gone)?;
        let count = match was {
            PreviousState::Failed => &mut live.counts.failed,
            PreviousState::Cancelled => &mut live.counts.cancelled,
        };
        *count = count.saturating_sub(1);
        (live.ended_at, live.cancelled, live.failure) = (None, false, failure);
        live.stalls.remove(&id.number);
        Ok(())
    }
}
