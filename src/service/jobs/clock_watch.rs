//! Distrusts the wall clock when it jumps: permanent deletions that depend on the time must not
//! depend on a clock that is wrong for a moment (`guarantees.md#a-wrong-clock-deletes-nothing`). A
//! requested move is not a jump.

use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

use crate::service::policy;

/// Compares the wall clock with the actual running time of the process since a trusted time.
#[derive(Debug)]
pub(super) struct ClockWatch {
    trusted: Timestamp,
    since: Instant,
    /// The distance that the clock had been moved by then.
    moved: SignedDuration,
    /// The time that the wall clock showed when it was first found to have jumped.
    doubted: Option<Timestamp>,
}

impl ClockWatch {
    /// `trusted` is a time that was right, and not in the future.
    pub(super) fn new(trusted: Timestamp) -> Self {
        Self {
            trusted,
            since: Instant::now(),
            moved: SignedDuration::ZERO,
            doubted: None,
        }
    }

    /// Judges the time of the wall clock. A jump is accepted once the clock has run on from there
    /// undisturbed. Returns the time until which nothing may be deleted and after which to judge
    /// again; `None` if the time is trusted. `moved` is the distance that the clock was moved on
    /// purpose.
    pub(super) fn doubts(&mut self, now: Timestamp, moved: SignedDuration) -> Option<Timestamp> {
        let ran = SignedDuration::try_from(self.since.elapsed()).unwrap_or(SignedDuration::MAX);
        let passed = ran.saturating_add(moved.saturating_sub(self.moved));
        let expected = self
            .trusted
            .saturating_add(passed)
            .unwrap_or(Timestamp::MAX);
        if now.duration_since(expected) <= policy::CLOCK_JUMP {
            self.trust(now, moved);
            return None;
        }
        let first = *self.doubted.get_or_insert_with(|| {
            tracing::warn!(%now, %expected, "the clock jumped; files that expired in between stay until it is confirmed");
            now
        });
        let stood = now.duration_since(first);
        if stood > policy::CLOCK_JUMP || stood.is_negative() {
            self.doubted = Some(now);
        } else if stood >= policy::CLOCK_CONFIRMATION {
            tracing::warn!(%now, "the clock is taken to be right; expired files are deleted");
            self.trust(now, moved);
            return None;
        }
        let from = self.doubted.unwrap_or(now);
        Some(
            from.saturating_add(policy::CLOCK_CONFIRMATION)
                .unwrap_or(Timestamp::MAX),
        )
    }

    fn trust(&mut self, now: Timestamp, moved: SignedDuration) {
        self.trusted = now;
        self.moved = moved;
        self.since = Instant::now();
        self.doubted = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: SignedDuration = SignedDuration::from_hours(24);
    const STILL: SignedDuration = SignedDuration::ZERO;

    fn start() -> Timestamp {
        "2026-03-01T00:00:00Z".parse().unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn time_that_passed_is_no_jump() {
        let mut watch = ClockWatch::new(start());
        tokio::time::advance(std::time::Duration::from_hours(30 * 24)).await;
        assert_eq!(watch.doubts(start() + 30 * DAY, STILL), None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_jump_is_believed_once_the_clock_went_on_from_there() {
        let mut watch = ClockWatch::new(start());
        let jumped = start() + 3 * DAY;
        let confirmed = jumped + policy::CLOCK_CONFIRMATION;
        assert_eq!(watch.doubts(jumped, STILL), Some(confirmed));
        assert_eq!(
            watch.doubts(confirmed - SignedDuration::from_millis(1), STILL),
            Some(confirmed)
        );
        assert_eq!(watch.doubts(confirmed, STILL), None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_clock_that_comes_back_was_wrong() {
        let mut watch = ClockWatch::new(start());
        assert!(watch.doubts(start() + 400 * DAY, STILL).is_some());
        assert_eq!(
            watch.doubts(start() + SignedDuration::from_secs(5), STILL),
            None
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_second_jump_starts_the_doubt_again() {
        let mut watch = ClockWatch::new(start());
        watch.doubts(start() + 2 * DAY, STILL);
        let again = start() + 5 * DAY;
        assert_eq!(
            watch.doubts(again, STILL),
            Some(again + policy::CLOCK_CONFIRMATION)
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_move_that_was_asked_for_is_no_jump() {
        let mut watch = ClockWatch::new(start());
        assert_eq!(watch.doubts(start() + 40 * DAY, 40 * DAY), None);
        assert_eq!(watch.doubts(start() + 40 * DAY, 40 * DAY), None);
        assert_eq!(watch.doubts(start(), STILL), None);
        assert!(watch.doubts(start() + 40 * DAY, DAY).is_some());
    }
}
