//! One request budget for all clones of a client: paces requests and learns the actual limit from
//! the responses (`contract.md#rate-limits`, `guarantees.md#the-request-budget-is-kept`). Reads
//! take precedence over transfers.

use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use governor::clock::Clock;
use governor::middleware::NoOpMiddleware;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use tokio::time::Instant;

use super::observe::{Observation, Observer, WaitCause};

/// Requests in ten seconds while the account's tier is unknown: slightly below the lowest tier's
/// 100.
const UNKNOWN_TIER: u32 = 90;
const WINDOW: Duration = Duration::from_secs(10);
/// Shorter waits are not reported.
const WORTH_TELLING: Duration = Duration::from_millis(250);
/// The pause after a response that reported an empty budget. The window is rolling, so part of the
/// budget returns.
const NOTHING_LEFT: Duration = Duration::from_secs(1);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RequestClass {
    /// A user is waiting for the response.
    Read,
    /// Uploads, downloads and polls: together at most 80% of the rate, so that reads get through.
    Transfer,
}

type Pacer = RateLimiter<NotKeyed, InMemoryState, TokioClock, NoOpMiddleware<Duration>>;

#[derive(Debug)]
pub(super) struct RateLimit {
    clock: TokioClock,
    state: Mutex<LimiterState>,
}

#[derive(Debug)]
struct LimiterState {
    max: Option<u32>,
    all: Option<Pacer>,
    transfers: Option<Pacer>,
    held_until: Option<Instant>,
}

impl RateLimit {
    /// Creates a limit for an account whose tier is not known yet.
    pub(super) fn unknown_tier() -> Self {
        let limit = Self::unlimited();
        limit.lock().set_max(UNKNOWN_TIER, limit.clock);
        limit
    }

    /// Creates a limit without pacing until a response names one: for a service on this machine.
    pub(super) fn unlimited() -> Self {
        let state = LimiterState {
            max: None,
            all: None,
            transfers: None,
            held_until: None,
        };
        Self {
            clock: TokioClock {
                start: Instant::now(),
            },
            state: Mutex::new(state),
        }
    }

    /// Waits until one request may be sent. Cancel-safe; a cancelled wait uses nothing of the
    /// budget.
    pub(super) async fn acquire(&self, class: RequestClass, observer: &Observer) {
        let mut in_class = class == RequestClass::Read;
        while let Err(wait) = self.try_acquire(&mut in_class) {
            if wait >= WORTH_TELLING {
                observer.tell(Observation::Waiting {
                    wait,
                    cause: WaitCause::RateLimit,
                });
            }
            tokio::time::sleep(wait).await;
        }
    }

    /// `in_class` records that the pace of the class has been passed, so that it is not charged
    /// again after a wait.
    fn try_acquire(&self, in_class: &mut bool) -> Result<(), Duration> {
        let state = self.lock();
        let now = Instant::now();
        if let Some(until) = state.held_until.filter(|until| *until > now) {
            return Err(until - now);
        }
        if !*in_class {
            check(state.transfers.as_ref(), self.clock)?;
            *in_class = true;
        }
        check(state.all.as_ref(), self.clock)
    }

    pub(super) fn max(&self) -> u32 {
        self.lock().max.unwrap_or(UNKNOWN_TIER)
    }

    /// Learns the limit from a response's headers: the maximum in a window, and the rest.
    pub(super) fn learn(&self, max: u32, remaining: u32) {
        let mut state = self.lock();
        if state.max != Some(max) {
            state.set_max(max, self.clock);
        }
        if remaining == 0 {
            state.hold(NOTHING_LEFT);
        }
    }

    /// Stops all requests for the duration of `wait`, because the service refused one for its rate.
    pub(super) fn hold(&self, wait: Duration) {
        self.lock().hold(wait);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, LimiterState> {
        // No change can panic midway, so the state is valid even after a panic elsewhere.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LimiterState {
    fn set_max(&mut self, max: u32, clock: TokioClock) {
        self.max = Some(max);
        self.all = pace(max, clock);
        self.transfers = pace(max / 5 * 4, clock);
    }

    fn hold(&mut self, wait: Duration) {
        let until = Instant::now() + wait;
        self.held_until = Some(self.held_until.map_or(until, |held| held.max(until)));
    }
}

fn check(pace: Option<&Pacer>, clock: TokioClock) -> Result<(), Duration> {
    match pace.map(RateLimiter::check) {
        Some(Err(not_until)) => Err(not_until
            .wait_time_from(clock.now())
            .max(Duration::from_millis(1))),
        Some(Ok(())) | None => Ok(()),
    }
}

/// Allows a tenth at once and spreads the rest over the window: never more than `max` in any ten
/// seconds.
fn pace(max: u32, clock: TokioClock) -> Option<Pacer> {
    let burst = NonZeroU32::new((max / 10).max(1))?;
    let spread = max.saturating_sub(burst.get()).max(1);
    let quota = Quota::with_period(WINDOW / spread)?.allow_burst(burst);
    Some(RateLimiter::direct_with_clock(quota, clock))
}

/// Tokio's clock for governor, so that the limiter follows the paused time of tests.
#[derive(Debug, Clone, Copy)]
struct TokioClock {
    start: Instant,
}

impl Clock for TokioClock {
    type Instant = Duration;

    fn now(&self) -> Duration {
        self.start.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicUsize;
    use std::sync::atomic::Ordering::Relaxed;

    use super::*;

    /// Returns the times at which `count` requests may be sent, requested by 16 workers at once.
    async fn sends(limit: Arc<RateLimit>, count: usize, class: RequestClass) -> Vec<Duration> {
        let start = Instant::now();
        let left = Arc::new(AtomicUsize::new(count));
        let log = Arc::new(Mutex::new(Vec::new()));
        let mut workers = tokio::task::JoinSet::new();
        for _ in 0..16 {
            let (limit, left, log) = (limit.clone(), left.clone(), log.clone());
            workers.spawn(async move {
                while left
                    .try_update(Relaxed, Relaxed, |left| left.checked_sub(1))
                    .is_ok()
                {
                    limit.acquire(class, &Observer::default()).await;
                    log.lock().unwrap().push(start.elapsed());
                }
            });
        }
        workers.join_all().await;
        Arc::into_inner(log).unwrap().into_inner().unwrap()
    }

    fn most_in_a_window(sends: &[Duration]) -> usize {
        let in_window = |from: &Duration| {
            sends
                .iter()
                .filter(|at| *at >= from && **at < *from + WINDOW)
                .count()
        };
        sends.iter().map(in_window).max().unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn no_window_of_ten_seconds_holds_more_than_the_limit_and_most_of_it_is_used() {
        let limit = Arc::new(RateLimit::unlimited());
        limit.learn(100, 100);
        let sends = sends(limit, 1_000, RequestClass::Read).await;
        assert!(
            most_in_a_window(&sends) <= 100,
            "{} in a window",
            most_in_a_window(&sends)
        );
        let seconds = sends.last().unwrap().as_secs_f64();
        assert!(
            1_000.0 / seconds >= 9.0,
            "only {} a second",
            1_000.0 / seconds
        );
    }

    #[tokio::test(start_paused = true)]
    async fn transfers_leave_room_for_reads() {
        let limit = Arc::new(RateLimit::unlimited());
        limit.learn(100, 100);
        let transfers = tokio::spawn(sends(limit.clone(), 300, RequestClass::Transfer));
        tokio::time::sleep(Duration::from_secs(5)).await;
        let start = Instant::now();
        limit
            .acquire(RequestClass::Read, &Observer::default())
            .await;
        assert!(
            start.elapsed() < Duration::from_millis(200),
            "a read waited {:?}",
            start.elapsed()
        );
        assert!(most_in_a_window(&transfers.await.unwrap()) <= 80);
    }

    #[tokio::test(start_paused = true)]
    async fn an_unknown_tier_stays_under_the_lowest_one() {
        let sends = sends(Arc::new(RateLimit::unknown_tier()), 500, RequestClass::Read).await;
        assert!(most_in_a_window(&sends) <= 90);
    }

    #[tokio::test(start_paused = true)]
    async fn a_refusal_holds_back_every_clone_and_the_wait_is_told() {
        let limit = RateLimit::unlimited();
        limit.hold(Duration::from_secs(7));
        let waits = Arc::new(Mutex::new(Vec::new()));
        let observer = Observer::new(Arc::new({
            let waits = waits.clone();
            move |seen| waits.lock().unwrap().push(seen)
        }));
        let start = Instant::now();
        limit.acquire(RequestClass::Read, &observer).await;
        assert!(start.elapsed() >= Duration::from_secs(7));
        let wait = Observation::Waiting {
            wait: Duration::from_secs(7),
            cause: WaitCause::RateLimit,
        };
        assert_eq!(*waits.lock().unwrap(), [wait]);
    }
}
