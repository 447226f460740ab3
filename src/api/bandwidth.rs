//! A bandwidth limit that all transfers of the process share, up and down. Transfers take turns.

use std::num::NonZeroU64;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use super::retry_budget::RetryBudget;

/// Turns per second: short enough that the other transfers do not stall.
const TURNS: u64 = 16;

/// A limit that clones share. Initially unlimited.
#[derive(Debug, Clone, Default)]
pub struct Bandwidth(Arc<BandwidthInner>);

#[derive(Debug, Default)]
struct BandwidthInner {
    /// In bytes per second.
    limit: Mutex<Option<NonZeroU64>>,
    /// The start of the next turn. Assigned in the order of the requests.
    next: tokio::sync::Mutex<Option<Instant>>,
}

impl Bandwidth {
    /// Sets the limit in bytes per second, or removes it. Takes effect on running transfers at
    /// once.
    pub fn set(&self, limit: Option<NonZeroU64>) {
        *self.0.limit.lock().unwrap_or_else(PoisonError::into_inner) = limit;
    }

    fn limit(&self) -> Option<NonZeroU64> {
        *self.0.limit.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The bytes of one turn; `most` if unlimited.
    pub(super) fn turn(&self, most: usize) -> usize {
        let turn = self
            .limit()
            .and_then(|limit| usize::try_from(limit.get() / TURNS).ok());
        turn.map_or(most, |turn| turn.clamp(most.min(512), most))
    }

    /// Waits until `bytes` may be transferred. The wait does not count as a stall of the transfer.
    pub(super) async fn take(&self, bytes: usize, retry_budget: &RetryBudget) {
        let mut left = bytes;
        while let Some(limit) = self.limit().filter(|_| left > 0) {
            let turn = self.turn(left);
            let mut next = self.0.next.lock().await;
            let begin = next.map_or_else(Instant::now, |next| next.max(Instant::now()));
            sleep_until(begin).await;
            let nanos = (turn as u64).saturating_mul(1_000_000_000) / limit;
            *next = Some(begin + Duration::from_nanos(nanos));
            left -= turn;
            retry_budget.moved();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn retry_budget() -> RetryBudget {
        RetryBudget::new(Duration::from_secs(10), 3)
    }

    #[tokio::test(start_paused = true)]
    async fn transfers_together_take_no_more_than_the_limit_and_each_has_its_share() {
        let bandwidth = Bandwidth::default();
        bandwidth.set(NonZeroU64::new(1_000_000));
        let start = Instant::now();
        let mut transfers = tokio::task::JoinSet::new();
        for _ in 0..4 {
            let bandwidth = bandwidth.clone();
            transfers.spawn(async move {
                for _ in 0..40 {
                    bandwidth.take(64 << 10, &retry_budget()).await;
                }
                start.elapsed().as_secs_f64()
            });
        }
        // 10 MiB at 1 MB per second; none finishes long before another.
        for seconds in transfers.join_all().await {
            assert!((10.0..10.6).contains(&seconds), "{seconds} s");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_new_limit_holds_for_what_waits_already() {
        let bandwidth = Bandwidth::default();
        bandwidth.set(NonZeroU64::new(1_000));
        let waiting = tokio::spawn({
            let bandwidth = bandwidth.clone();
            async move { bandwidth.take(1 << 20, &retry_budget()).await }
        });
        let start = Instant::now();
        tokio::time::sleep(Duration::from_secs(5)).await;
        bandwidth.set(None);
        waiting.await.unwrap();
        assert!(
            start.elapsed() < Duration::from_secs(6),
            "{:?}",
            start.elapsed()
        );
    }

    #[tokio::test(start_paused = true)]
    async fn waiting_for_a_turn_is_no_stall() {
        let (bandwidth, retry_budget) = (Bandwidth::default(), retry_budget());
        bandwidth.set(NonZeroU64::new(1_000));
        let slow = async {
            bandwidth.take(60_000, &retry_budget).await;
            Ok(())
        };
        retry_budget.watch(slow).await.unwrap();
    }
}
