//! Watches the promise that erased data is gone within seven days, and logs an alarm while there is
//! time left.

use jiff::{SignedDuration, Timestamp};

use crate::service::policy;

#[derive(Debug, Default)]
pub(super) struct ErasureWatch {
    alarmed: Option<Timestamp>,
}

impl ErasureWatch {
    /// `oldest` is the time since which the oldest remains have waited for erasure. Logs the alarm
    /// if that is too long ago, and returns the time of the next check.
    pub(super) fn look(&mut self, oldest: Option<Timestamp>, now: Timestamp) -> Option<Timestamp> {
        let oldest = oldest?;
        let alarm_at = later(oldest, policy::ERASURE_ALARM);
        if now < alarm_at {
            return Some(alarm_at);
        }
        let again = self
            .alarmed
            .map(|alarmed| later(alarmed, policy::ERASURE_ALARM_EVERY));
        if let Some(again) = again.filter(|again| now < *again) {
            return Some(again);
        }
        self.alarmed = Some(now);
        let due = later(oldest, policy::ERASURE_PROMISE);
        tracing::error!(asked = %oldest, %due, "what was deleted permanently is still on the disk; see what failed before");
        Some(later(now, policy::ERASURE_ALARM_EVERY))
    }
}

pub(super) fn later(time: Timestamp, by: SignedDuration) -> Timestamp {
    time.saturating_add(by).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: SignedDuration = SignedDuration::from_hours(24);

    fn start() -> Timestamp {
        "2026-03-01T00:00:00Z".parse().unwrap()
    }

    #[test]
    fn nothing_left_is_nothing_to_watch() {
        assert_eq!(ErasureWatch::default().look(None, start()), None);
    }

    #[test]
    fn the_alarm_comes_at_six_days_and_then_once_an_hour() {
        let mut watch = ErasureWatch::default();
        let alarm_at = start() + 6 * DAY;
        let millisecond = SignedDuration::from_millis(1);
        assert_eq!(watch.look(Some(start()), start()), Some(alarm_at));
        assert_eq!(
            watch.look(Some(start()), alarm_at - millisecond),
            Some(alarm_at)
        );
        assert_eq!(watch.alarmed, None);
        let hour = SignedDuration::from_hours(1);
        assert_eq!(watch.look(Some(start()), alarm_at), Some(alarm_at + hour));
        assert_eq!(
            watch.look(Some(start()), alarm_at + hour - millisecond),
            Some(alarm_at + hour)
        );
        assert_eq!(watch.alarmed, Some(alarm_at));
        watch.look(Some(start()), alarm_at + hour);
        assert_eq!(watch.alarmed, Some(alarm_at + hour));
    }
}
