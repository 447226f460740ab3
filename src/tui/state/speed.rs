//! The transfer speed over the last few seconds.

use std::collections::VecDeque;

use jiff::Timestamp;

/// Samples of the last five seconds: time in milliseconds, total bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Speed(VecDeque<(i64, u64)>);

const WINDOW_MS: i64 = 5_000;
const STALLED_MS: i64 = 3_000;

impl Speed {
    /// Adds a sample of the total bytes. A smaller total than before is a new attempt and starts
    /// over; an equal one says nothing new.
    pub fn sample(&mut self, bytes: u64, now: Timestamp) {
        let now = now.as_millisecond();
        if self.0.back().is_some_and(|(_, before)| *before == bytes) {
            return;
        }
        if self.0.back().is_some_and(|(_, before)| *before > bytes) {
            self.0.clear();
        }
        self.0.push_back((now, bytes));
        while self.0.len() > 2
            && self
                .0
                .front()
                .is_some_and(|(then, _)| now - then > WINDOW_MS)
        {
            self.0.pop_front();
        }
    }

    /// The seconds without progress, if long enough to report.
    pub fn stalled(&self, now: Timestamp) -> Option<i64> {
        let still = now.as_millisecond() - self.0.back()?.0;
        (still >= STALLED_MS).then_some(still / 1_000)
    }

    /// Returns `None` until there are two samples with time between them.
    pub fn bytes_per_second(&self) -> Option<u64> {
        let ((from, before), (to, after)) = (self.0.front()?, self.0.back()?);
        let millis = u64::try_from(to - from).ok().filter(|millis| *millis > 0)?;
        Some((after - before).saturating_mul(1_000) / millis)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millisecond(millis).unwrap()
    }

    #[test]
    fn the_speed_is_that_of_the_last_seconds() {
        let mut speed = Speed::default();
        speed.sample(0, at(0));
        assert_eq!(speed.bytes_per_second(), None);
        speed.sample(1_000, at(1_000));
        assert_eq!(speed.bytes_per_second(), Some(1_000));
        for second in 2..=20 {
            speed.sample(
                1_000 + (second - 1) * 5_000,
                at(i64::try_from(second).unwrap() * 1_000),
            );
        }
        assert_eq!(
            speed.bytes_per_second(),
            Some(5_000),
            "the slow start is forgotten"
        );
    }

    #[test]
    fn what_is_told_again_without_news_stands_still() {
        let mut speed = Speed::default();
        speed.sample(0, at(0));
        for second in 1..=20 {
            speed.sample(1_000, at(second * 1_000));
        }
        assert_eq!(speed.stalled(at(20_000)), Some(19));
    }

    #[test]
    fn a_new_attempt_starts_anew() {
        let mut speed = Speed::default();
        speed.sample(9_000, at(0));
        speed.sample(100, at(1_000));
        assert_eq!(speed.bytes_per_second(), None);
    }
}
