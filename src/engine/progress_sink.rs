//! The destination of an operation's progress: the engine's channel, or a progress bar.

use std::fmt;
use std::sync::Arc;

use super::message::Progress;
use crate::api::{Observation, Observer};

/// A sink that takes progress and returns at once. Cheap to clone.
#[derive(Clone)]
pub struct ProgressSink(Arc<dyn Fn(Progress) + Send + Sync>);

impl ProgressSink {
    pub fn new(tell: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        Self(Arc::new(tell))
    }

    /// Returns a sink that nobody listens to.
    pub fn none() -> Self {
        Self::new(drop)
    }

    pub fn report(&self, progress: Progress) {
        (self.0)(progress);
    }

    /// Returns the observer for a client whose waits are to be reported here.
    pub fn observer(&self) -> Observer {
        let report = self.clone();
        Observer::new(Arc::new(move |seen| {
            if let Observation::Waiting { wait, cause } = seen {
                report.report(Progress::Waiting {
                    wait,
                    reason: cause.into(),
                });
            }
        }))
    }
}

impl fmt::Debug for ProgressSink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Report")
    }
}
