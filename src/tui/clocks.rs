//! What time it is, by both clocks: keys are pressed by this machine's, files live by the service's.

use jiff::{SignedDuration, Timestamp};

use crate::api::ServiceTime;

/// One moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clocks {
    pub here: Timestamp,
    pub service: ServiceTime,
}

impl Clocks {
    /// When it is `now` here and the service's clock is so far ahead.
    pub fn new(now: Timestamp, ahead: SignedDuration) -> Self {
        Self { here: now, service: ServiceTime::new(now, ahead) }
    }
}
