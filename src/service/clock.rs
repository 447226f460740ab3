//! The service's only source of time: the machine's clock, or one that a test sets by hand.
//! Deadlines are waited for through it, so that a test never sleeps.

use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tokio::sync::watch;

/// The longest sleep towards a wall time. A sleep does not continue while the machine is suspended, and knows nothing
/// of a clock that is set.
const LONGEST_SLEEP: Duration = Duration::from_mins(1);

/// Cheap to clone; clones of a manual clock share their time.
#[derive(Debug, Clone)]
pub struct Clock(TimeSource);

#[derive(Debug, Clone)]
enum TimeSource {
    System,
    Manual(Arc<watch::Sender<Timestamp>>),
}

impl Clock {
    pub fn system() -> Self {
        Self(TimeSource::System)
    }

    /// A clock that is at `start` until `advance` is called.
    pub fn manual(start: Timestamp) -> Self {
        Self(TimeSource::Manual(Arc::new(watch::Sender::new(start))))
    }

    pub fn now(&self) -> Timestamp {
        match &self.0 {
            TimeSource::System => Timestamp::now(),
            TimeSource::Manual(time) => *time.borrow(),
        }
    }

    /// Moves a manual clock forward (or back) and wakes who waits; does nothing to the system's clock.
    pub fn advance(&self, by: SignedDuration) {
        if let TimeSource::Manual(time) = &self.0 {
            time.send_modify(|now| *now = now.saturating_add(by).unwrap_or(*now));
        }
    }

    /// Waits until the clock shows `due` or later. Cancel-safe.
    pub async fn until(&self, due: Timestamp) {
        match &self.0 {
            TimeSource::System => sleep_until(due, Timestamp::now).await,
            TimeSource::Manual(time) => {
                // The sender lives in self, so the channel cannot close while we wait.
                let _ = time.subscribe().wait_for(|now| *now >= due).await;
            }
        }
    }
}

/// Looks at the wall clock again and again.
async fn sleep_until(due: Timestamp, wall: impl Fn() -> Timestamp) {
    // What is left is negative, which no duration is, once it is due.
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
