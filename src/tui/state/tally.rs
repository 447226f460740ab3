//! The results of a batch so far, as far as the message at its end needs them.

use jiff::SignedDuration;

use crate::api::ServiceTime;
use crate::engine::message::{Outcome, Settled};

/// Kept until the batch has ended.
#[derive(Debug, Clone, Default)]
pub struct BatchTally {
    /// The job that ended last: where there is but one, its own words are said.
    pub last: Option<Settled>,
    /// Files of which nothing new was stored: the same content was there.
    pub present: usize,
    /// Folders of which not all files are known that went with them.
    pub missing: usize,
}

impl BatchTally {
    /// Counts one more; the service's clock is so far ahead.
    pub fn add(&mut self, settled: Settled, ahead: SignedDuration) {
        self.present += usize::from(was_present(&settled, ahead));
        let is_missing = |outcome: &Outcome| outcome.missing().is_some();
        self.missing += usize::from(settled.result.as_ref().is_ok_and(is_missing));
        self.last = Some(settled);
    }
}

/// Whether a file's content was in the store already and nothing new was made of it.
fn was_present(settled: &Settled, ahead: SignedDuration) -> bool {
    let asked_at = ServiceTime::new(settled.asked_at, ahead).timestamp();
    match &settled.result {
        Ok(Outcome::Present(_)) => true,
        Ok(Outcome::Uploaded { file, .. } | Outcome::Imported(file)) => {
            settled.job.returns_existing() && file.created_at.is_some_and(|created| created < asked_at)
        }
        _ => false,
    }
}
