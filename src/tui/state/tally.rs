//! The results of a batch so far, for the message at its end.

use jiff::SignedDuration;

use crate::api::ServiceTime;
use crate::engine::message::{Outcome, Settled};

/// The results, kept until the batch has ended.
#[derive(Debug, Clone, Default)]
pub struct BatchTally {
    /// The job that ended last; a batch of one job reports that job's own result.
    pub last: Option<Settled>,
    /// The number of files whose content was already stored, so that nothing new was.
    pub present: usize,
    /// The number of folders for which the files deleted with them are not fully known.
    pub missing: usize,
}

impl BatchTally {
    /// Adds one result; `ahead` is the amount by which the service's clock is ahead.
    pub fn add(&mut self, settled: Settled, ahead: SignedDuration) {
        self.present += usize::from(was_present(&settled, ahead));
        let is_missing = |outcome: &Outcome| outcome.missing().is_some();
        self.missing += usize::from(settled.result.as_ref().is_ok_and(is_missing));
        self.last = Some(settled);
    }
}

/// Returns `true` if the file's content was already stored and no new file was created.
fn was_present(settled: &Settled, ahead: SignedDuration) -> bool {
    let asked_at = ServiceTime::new(settled.asked_at, ahead).timestamp();
    match &settled.result {
        Ok(Outcome::Present(_)) => true,
        Ok(Outcome::Uploaded { file, .. } | Outcome::Imported(file)) => {
            settled.job.returns_existing()
                && file.created_at.is_some_and(|created| created < asked_at)
        }
        _ => false,
    }
}
