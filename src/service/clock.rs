//! The service's only source of time: the machine's clock, that clock moved by a test, or one that
//! a test sets manually. All deadlines use it, so that a test never has to sleep.

use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tokio::sync::watch;

/// The longest sleep towards a wall time. A sleep does not advance while the machine is suspended,
/// and does not notice that the clock was set.
const LONGEST_SLEEP: Duration = Duration::from_mins(1);

/// Cheap to clone; clones of a manual clock share their time.
#[derive(Debug, Clone)]
pub struct Clock(TimeSource);

#[derive(Debug, Clone)]
enum TimeSource {
    System,
    /// The machine's clock, moved by this distance.
    Movable(Arc<watch::Sender<SignedDuration>>),
    Manual(Arc<watch::Sender<Timestamp>>),
}

#[derive(Debug, Clone, Copy)]
pub struct ClockReading {
    pub now: Timestamp,
    /// The distance that a movable clock was moved; zero for others.
    pub moved_by: SignedDuration,
}

impl Clock {
    pub fn system() -> Self {
        Self(TimeSource::System)
    }

    /// Returns the machine's clock, which `move_to` or `advance` can move; it runs on from there.
    pub fn movable() -> Self {
        Self(TimeSource::Movable(Arc::new(watch::Sender::new(
            SignedDuration::ZERO,
        ))))
    }

    /// Returns this clock if it can be moved, or a movable one instead of the system's.
    #[must_use]
    pub fn made_movable(self) -> Self {
        match self.0 {
            TimeSource::System => Self::movable(),
            TimeSource::Movable(_) | TimeSource::Manual(_) => self,
        }
    }

    /// Returns a clock that stands at `start` until `advance` is called.
    pub fn manual(start: Timestamp) -> Self {
        Self(TimeSource::Manual(Arc::new(watch::Sender::new(start))))
    }

    pub fn now(&self) -> Timestamp {
        match &self.0 {
            TimeSource::System => Timestamp::now(),
            TimeSource::Movable(by) => later(Timestamp::now(), *by.borrow()),
            TimeSource::Manual(time) => *time.borrow(),
        }
    }

    /// Returns the time together with the distance moved, so that both are from before a move or
    /// both from after it.
    pub fn read(&self) -> ClockReading {
        match &self.0 {
            TimeSource::Movable(by) => {
                let moved_by = *by.borrow();
                ClockReading {
                    now: later(Timestamp::now(), moved_by),
                    moved_by,
                }
            }
            TimeSource::System | TimeSource::Manual(_) => ClockReading {
                now: self.now(),
                moved_by: SignedDuration::ZERO,
            },
        }
    }

    /// Moves a movable or manual clock forward (or back) and wakes waiting tasks; does nothing to
    /// the system's clock.
    pub fn advance(&self, by: SignedDuration) {
        self.move_to(later(self.now(), by));
    }

    /// Sets a movable or manual clock to this time and wakes waiting tasks; does nothing to the
    /// system's clock.
    pub fn move_to(&self, time: Timestamp) {
        match &self.0 {
            TimeSource::System => {}
            TimeSource::Movable(by) => drop(by.send_replace(time.duration_since(Timestamp::now()))),
            TimeSource::Manual(now) => drop(now.send_replace(time)),
        }
    }

    /// Resets a movable clock to the machine's clock.
    pub fn restore(&self) {
        if let TimeSource::Movable(by) = &self.0 {
            by.send_replace(SignedDuration::ZERO);
        }
    }

    /// Waits until the clock shows `due` or later. Cancel-safe.
    pub async fn until(&self, due: Timestamp) {
        match &self.0 {
            TimeSource::System => sleep_until(due, Timestamp::now).await,
            TimeSource::Movable(by) => {
                let mut moves = by.subscribe();
                let has_come = async { while self.now() < due && moves.changed().await.is_ok() {} };
                tokio::select! {
                    () = sleep_until(due, || self.now()) => {}
                    () = has_come => {}
                }
            }
            TimeSource::Manual(time) => {
                // The sender lives in `self`, so the channel cannot close while we wait.
                let _ = time.subscribe().wait_for(|now| *now >= due).await;
            }
        }
    }
}

fn later(time: Timestamp, by: SignedDuration) -> Timestamp {
    time.saturating_add(by).unwrap_or(time)
}

async fn sleep_until(due: Timestamp, wall: impl Fn() -> Timestamp) {
    // A duration cannot be negative, so the conversion fails once it is due.
    while let Ok(left) = Duration::try_from(due.duration_since(wall()))
        && !left.is_zero()
    {
        tokio::time::sleep(left.min(LONGEST_SLEEP)).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_wall_clock_that_went_on_during_a_suspend_is_seen_within_a_minute() {
        let wall = watch::Sender::new(Timestamp::UNIX_EPOCH);
        let due = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(1);
        let waiting = sleep_until(due, || *wall.borrow());
        let suspended = async {
            tokio::time::sleep(Duration::from_secs(90)).await;
            wall.send_replace(due);
        };
        let begun = tokio::time::Instant::now();
        tokio::join!(waiting, suspended);
        assert_eq!(begun.elapsed().as_secs(), 120);
    }

    // Waits for an hour if nothing watches for moves.
    #[tokio::test(start_paused = true)]
    async fn a_movable_clock_runs_wakes_who_waits_when_it_is_moved_and_can_be_restored() {
        let clock = Clock::movable();
        let hour = SignedDuration::from_hours(1);
        let due = clock.now() + hour;
        let begun = tokio::time::Instant::now();
        tokio::join!(clock.until(due), async { clock.advance(hour) });
        assert!(
            begun.elapsed() < Duration::from_secs(1),
            "{:?}",
            begun.elapsed()
        );
        let moved = clock.now();
        assert!(moved >= due && clock.read().moved_by > hour - SignedDuration::from_secs(1));
        clock.move_to("2031-01-01T00:00:00Z".parse().unwrap());
        assert_eq!(clock.now().to_string().get(..4), Some("2031"));
        clock.restore();
        assert!(clock.now() < due && clock.read().moved_by.is_zero());
    }

    #[tokio::test]
    async fn a_manual_clock_wakes_who_waits_when_it_is_advanced() {
        let start = Timestamp::from_second(1_000).unwrap();
        let clock = Clock::manual(start);
        let due = start + SignedDuration::from_secs(60);
        let waiting = tokio::spawn({
            let clock = clock.clone();
            async move {
                clock.until(due).await;
                clock.now()
            }
        });
        clock.advance(SignedDuration::from_secs(59));
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        clock.advance(SignedDuration::from_secs(1));
        assert_eq!(waiting.await.unwrap(), due);
    }
}
