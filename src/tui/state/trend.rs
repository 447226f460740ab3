//! The recent transfer speed, second by second.

use std::collections::VecDeque;

use jiff::Timestamp;

/// Bytes per second, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Trend {
    samples: VecDeque<u64>,
    last: i64,
}

const LENGTH: usize = 14;

impl Trend {
    /// Adds at most one sample per second.
    pub(super) fn sample(&mut self, speed: u64, now: Timestamp) {
        if now.as_second() > self.last {
            self.last = now.as_second();
            self.samples.push_back(speed);
            self.samples
                .drain(..self.samples.len().saturating_sub(LENGTH));
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = u64> {
        self.samples.iter().copied()
    }
}
