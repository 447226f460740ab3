//! The time on both clocks: key presses follow this machine's, files the service's.

use jiff::{SignedDuration, Timestamp};

use crate::api::ServiceTime;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clocks {
    pub here: Timestamp,
    pub service: ServiceTime,
}

impl Clocks {
    /// Converts the local time; `ahead` is the amount by which the service's clock is ahead.
    pub fn new(now: Timestamp, ahead: SignedDuration) -> Self {
        Self {
            here: now,
            service: ServiceTime::new(now, ahead),
        }
    }
}
