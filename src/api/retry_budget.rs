//! The budget of an operation across all of its layers: the longest time without a byte, and the
//! number of retries (`guarantees.md#a-call-is-made-again-only-where-that-is-safe`). Waits that the
//! service asks for do not count, up to five minutes in total.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::error::{Error, Kind};
use super::failure::{Failure, Verdict};

/// Longer waits, alone or in total, are reported instead of waited for
/// (`guarantees.md#a-call-is-made-again-only-where-that-is-safe`).
pub(super) const LONGEST_WAIT: Duration = Duration::from_mins(5);

/// The time limits of a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// The longest time without a byte, after which an operation ends.
    pub stall: Duration,
    /// The longest time to look for an upload whose response was lost.
    pub settle: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            stall: Duration::from_mins(2),
            settle: Duration::from_secs(30),
        }
    }
}

impl Timing {
    /// The longest wait of one attempt for the next byte; leaves time for another attempt.
    pub(super) fn idle(&self) -> Duration {
        Duration::from_mins(1).min(self.stall / 2)
    }

    /// The longest wait for the response to an upload after its last byte; leaves time to look for
    /// the result.
    pub(super) fn answer(&self) -> Duration {
        self.stall.saturating_sub(self.settle).max(self.stall / 2)
    }
}

/// The budget of one operation. Clones share it.
#[derive(Debug, Clone)]
pub struct RetryBudget(Arc<Mutex<BudgetState>>);

#[derive(Debug)]
struct BudgetState {
    stall: Duration,
    /// The time a byte was last sent or received, plus the waits since then that do not count.
    moved: Instant,
    retries: usize,
    /// The total wait that the service may still ask for.
    asked: Duration,
}

impl RetryBudget {
    pub(super) fn new(stall: Duration, retries: usize) -> Self {
        Self(Arc::new(Mutex::new(BudgetState {
            stall,
            moved: Instant::now(),
            retries,
            asked: LONGEST_WAIT,
        })))
    }

    /// Records that a byte was sent or received.
    pub(super) fn moved(&self) {
        let mut budget = self.lock();
        budget.moved = budget.moved.max(Instant::now());
    }

    /// Excludes `wait` from the time since the last byte.
    pub(super) fn excuse(&self, wait: Duration) {
        self.lock().moved += wait;
    }

    /// Prevents any further retries.
    pub(super) fn give_up(&self) {
        let mut budget = self.lock();
        (budget.retries, budget.asked) = (0, Duration::ZERO);
    }

    /// Takes one retry and returns the wait before it; `None` if the operation must end, or if less
    /// than a quarter of its time would be left for the retry. A wait that the service asks for
    /// overrides a shorter back-off, and makes the retry free.
    pub fn next_try(&self, asked: Option<Duration>, backoff: Duration) -> Option<Duration> {
        let mut budget = self.lock();
        let asked = asked.unwrap_or_default();
        let retries = if asked.is_zero() {
            budget.retries.checked_sub(1)?
        } else {
            budget.retries
        };
        let left = budget.asked.checked_sub(asked)?;
        let wait = backoff.max(asked);
        if Instant::now() + wait - asked >= budget.moved + budget.stall * 3 / 4 {
            return None;
        }
        (budget.retries, budget.asked) = (retries, left);
        budget.moved += asked;
        Some(wait)
    }

    /// Runs one step, and ends it if no byte was transferred for too long.
    pub(super) async fn watch<T>(
        &self,
        step: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        tokio::select! {
            done = step => done,
            () = self.stalled() => {
                let message = format!("No data, or no whole answer, was transferred for {} s", self.lock().stall.as_secs_f32());
                Err(Failure::new(Error::new(Kind::Timeout, message), Verdict::Doubtful))
            }
        }
    }

    async fn stalled(&self) {
        loop {
            let due = {
                let budget = self.lock();
                budget.moved + budget.stall
            };
            if Instant::now() >= due {
                return;
            }
            tokio::time::sleep_until(due).await;
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BudgetState> {
        // No change can panic midway, so the state is valid even after a panic elsewhere.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn a_step_ends_when_no_byte_moved_for_too_long_and_goes_on_while_some_do() {
        let retry_budget = RetryBudget::new(10 * SECOND, 3);
        let start = Instant::now();
        let moving = async {
            for _ in 0..5 {
                tokio::time::sleep(9 * SECOND).await;
                retry_budget.moved();
            }
            std::future::pending::<Result<(), Failure>>().await
        };
        let failure = retry_budget.watch(moving).await.unwrap_err();
        assert_eq!(
            (failure.error.kind, failure.verdict),
            (Kind::Timeout, Verdict::Doubtful)
        );
        assert_eq!(start.elapsed().as_secs(), 55);
        assert_eq!(
            retry_budget.next_try(None, SECOND),
            None,
            "nothing is tried after the end"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn tries_are_counted_through_all_layers_and_end_before_the_time_does() {
        let retry_budget = RetryBudget::new(10 * SECOND, 3);
        let inner = retry_budget.clone();
        assert_eq!(inner.next_try(None, SECOND), Some(SECOND));
        assert_eq!(
            retry_budget.next_try(None, 8 * SECOND),
            None,
            "the retry would have two seconds"
        );
        assert_eq!(retry_budget.next_try(None, SECOND), Some(SECOND));
        assert_eq!(inner.next_try(None, SECOND), Some(SECOND));
        assert_eq!(retry_budget.next_try(None, SECOND), None);
    }

    #[tokio::test(start_paused = true)]
    async fn waits_that_the_service_asks_for_do_not_count_for_five_minutes() {
        let retry_budget = RetryBudget::new(10 * SECOND, 9);
        for _ in 0..2 {
            let wait = retry_budget.next_try(Some(120 * SECOND), SECOND).unwrap();
            assert_eq!(wait, 120 * SECOND);
            tokio::time::sleep(wait).await;
        }
        assert_eq!(retry_budget.next_try(Some(120 * SECOND), SECOND), None);
        assert_eq!(
            retry_budget.next_try(Some(Duration::ZERO), SECOND),
            Some(SECOND),
            "no wish is shorter than our own wait"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn waits_that_the_service_asks_for_take_no_try() {
        let retry_budget = RetryBudget::new(10 * SECOND, 1);
        for _ in 0..20 {
            assert_eq!(
                retry_budget.next_try(Some(2 * SECOND), SECOND),
                Some(2 * SECOND)
            );
        }
        assert_eq!(retry_budget.next_try(None, SECOND), Some(SECOND));
        assert_eq!(retry_budget.next_try(None, SECOND), None);
        retry_budget.give_up();
        assert_eq!(
            retry_budget.next_try(Some(SECOND), SECOND),
            None,
            "nothing is tried again"
        );
    }
}
