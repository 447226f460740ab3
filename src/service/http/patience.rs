//! The patience with a client that sends or receives slowly: waiting uses it up, and bytes restore
//! it. So a client may pause, but on average it has to keep a minimum rate
//! (`guarantees.md#slow-and-large-requests-have-bounds`).

use std::time::Duration;

#[derive(Debug, Clone, Copy)]
pub(super) struct Patience {
    bytes_per_second: u64,
    most: Duration,
    left: Duration,
}

impl Patience {
    /// `most` is the longest pause. A rate of zero asks for a byte at least once in that time.
    pub(super) fn new(bytes_per_second: u64, most: Duration) -> Self {
        Self {
            bytes_per_second,
            most,
            left: most,
        }
    }

    /// Returns the longest time to wait for the next bytes.
    pub(super) fn left(&self) -> Duration {
        self.left
    }

    /// Takes the time that the client was waited for, and adds the time that its bytes may take.
    pub(super) fn settle(&mut self, waited: Duration, bytes: usize) {
        let micros = (bytes as u64)
            .saturating_mul(1_000_000)
            .checked_div(self.bytes_per_second);
        let earned = micros.map_or(self.most, Duration::from_micros);
        self.left = self
            .left
            .saturating_sub(waited)
            .saturating_add(earned)
            .min(self.most);
    }
}
