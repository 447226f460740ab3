//! The batches of an account, listed beside the processes that work on them: nothing is taken over.

use super::database::Journal;
use super::recorded::RecordedBatch;
use super::text::OfJson;
use crate::api::Error;
use crate::engine::address_map::StoredCopy;
use crate::engine::batch::BatchId;
use crate::engine::job::Job;

impl Journal {
    /// Returns all batches of the account, of all runs, newest first.
    pub async fn list_batches(&self) -> Result<Vec<RecordedBatch>, Error> {
        let all = "account = ?1 ORDER BY number DESC";
        self.read(move |journal, connection| journal.batches(connection, all, [&journal.account]))
            .await
    }

    pub async fn undone_jobs(&self, batch: BatchId) -> Result<Vec<Job>, Error> {
        let select = "SELECT job FROM item WHERE batch = ?1 AND state <> 'done' ORDER BY number";
        self.find(select, [batch.0], |row| Ok(row.get::<_, OfJson<Job>>(0)?.0))
            .await
    }

    /// Returns the copies from an account that a batch has made, with what they have stored.
    pub(crate) async fn copied_files(
        &self,
        batch: BatchId,
    ) -> Result<Vec<(Job, StoredCopy)>, Error> {
        let select = "SELECT job, stored FROM item WHERE batch = ?1 AND state = 'done' \
                        AND stored IS NOT NULL ORDER BY number";
        self.find(select, [batch.0], |row| {
            let (job, stored): (OfJson<_>, OfJson<_>) = row.try_into()?;
            Ok((job.0, stored.0))
        })
        .await
    }

    /// Forgets batches; no running process may work on them.
    pub async fn forget_batches(&self, batches: &[BatchId]) -> Result<(), Error> {
        self.forget(batches).await
    }
}
