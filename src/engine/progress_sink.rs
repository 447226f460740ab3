//! Where an operation reports its progress: the engine's channel, or a progress bar.

use std::fmt;
use std::sync::Arc;

use super::message::Progress;
use crate::api::{Observation, Observer};

/// Takes progress and returns at once. Cheap to clone.
#[derive(Clone)]
pub struct ProgressSink(Arc<dyn Fn(Progress) + Send + Sync>);

impl ProgressSink {
    pub fn new(tell: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        Self(Arc::new(tell))
    }

    /// Nobody listens.
    pub fn none() -> Self {
        Self::new(drop)
    }

    pub fn report(&self, progress: Progress) {
        (self.0)(progress);
    }

    /// For a client whose waits are to be reported here.
    pub fn observer(&self) -> Observer {
        let report = self.clone();
        Observer::new(Arc::new(move |seen| {
            if let Observation::Waiting { wait, cause } = seen {
                report.report(Progress::Waiting { wait, reason: cause.into() });
            }
        }))
    }
}

impl fmt::Debug for ProgressSink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Report")
    }
}
