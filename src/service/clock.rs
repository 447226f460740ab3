//! The service's only source of time: the machine's clock, or one that a test sets by hand.
//! Deadlines are waited for through it, so that a test never sleeps.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use tokio::sync::watch;

/// Cheap to clone; clones of a manual clock share their time.
#[derive(Debug, Clone)]
pub struct Clock(Source);

#[derive(Debug, Clone)]
enum Source {
    System,
    Manual(Arc<watch::Sender<Timestamp>>),
}

impl Clock {
    pub fn system() -> Self {
        Self(Source::System)
    }

    /// A clock that stands at `start` until `advance` is called.
    pub fn manual(start: Timestamp) -> Self {
        Self(Source::Manual(Arc::new(watch::Sender::new(start))))
    }

    pub fn now(&self) -> Timestamp {
        match &self.0 {
            Source::System => Timestamp::now(),
            Source::Manual(time) => *time.borrow(),
        }
    }

    /// Moves a manual clock forward (or back) and wakes who waits; does nothing to the system's clock.
    pub fn advance(&self, by: SignedDuration) {
        if let Source::Manual(time) = &self.0 {
            time.send_modify(|now| *now = now.saturating_add(by).unwrap_or(*now));
        }
    }

    /// Waits until the clock shows `due` or later. Cancel-safe.
    pub async fn until(&self, due: Timestamp) {
        match &self.0 {
            Source::System => {
                let left = due.duration_since(Timestamp::now());
                if let Ok(left) = left.try_into() {
                    tokio::time::sleep(left).await;
                }
            }
            Source::Manual(time) => {
                // The sender lives in self, so the channel cannot close while we wait.
                let _ = time.subscribe().wait_for(|now| *now >= due).await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
