//! Repeats a call where that is safe and its operation's budget allows, with backon's back-off or
//! the wait that the service asks for
//! (`guarantees.md#a-call-is-made-again-only-where-that-is-safe`).

use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};

use super::error::Kind;
use super::failure::{Failure, Repeat, Verdict};
use super::observe::{Observation, Observer, WaitCause};
use super::retry_budget::RetryBudget;

/// The retries of one call.
#[derive(Debug)]
pub(crate) struct Retries {
    repeat: Repeat,
    observer: Observer,
    retry_budget: RetryBudget,
    backoff: ExponentialBackoff,
    doubted_before: bool,
}

impl Retries {
    pub(super) fn new(repeat: Repeat, observer: &Observer, retry_budget: RetryBudget) -> Self {
        Self {
            repeat,
            observer: observer.clone(),
            retry_budget,
            backoff: backoff(),
            doubted_before: false,
        }
    }

    /// Waits until the call may be repeated, and tells the observer. Cancel-safe.
    ///
    /// # Errors
    ///
    /// The failure, if the call must not be made again.
    pub(crate) async fn after(&mut self, failure: Failure) -> Result<(), Failure> {
        let failure = Failure {
            doubted_before: self.doubted_before,
            ..failure
        };
        let error = &failure.error;
        if error.kind == Kind::Unauthorized && failure.verdict == Verdict::Unprocessed {
            // The access token has expired. The next attempt renews it; waiting would not help.
            return self
                .retry_budget
                .next_try(None, Duration::ZERO)
                .map(drop)
                .ok_or(failure);
        }
        let backoff = self
            .backoff
            .next()
            .filter(|_| failure.verdict.allows(self.repeat));
        let next_try = |backoff: Duration| {
            self.retry_budget
                .next_try(error.retry_after, backoff.max(failure.pause))
        };
        let Some(wait) = backoff.and_then(next_try) else {
            // A read has no effect, so nothing is in doubt.
            return Err(if self.repeat == Repeat::Read {
                Failure::from(*failure.error)
            } else {
                failure
            });
        };
        tracing::debug!(status = error.status, kind = ?error.kind, ?wait, "call failed, trying again");
        let cause = match error.retry_after {
            Some(asked) if asked >= wait => WaitCause::Asked,
            _ if error.kind == Kind::RateLimited => WaitCause::RateLimit,
            _ => WaitCause::Retry(error.kind),
        };
        self.observer.tell(Observation::Waiting { wait, cause });
        self.doubted_before |= failure.verdict.leaves_doubt();
        tokio::time::sleep(wait).await;
        Ok(())
    }
}

/// Runs `attempt` until it succeeds, or the rules or the budget end it. Cancel-safe if `attempt`
/// is.
pub(super) async fn with_retries<T, Attempt>(
    mut retries: Retries,
    mut attempt: impl FnMut() -> Attempt,
) -> Result<T, Failure>
where
    Attempt: Future<Output = Result<T, Failure>>,
{
    loop {
        match attempt().await {
            Ok(done) => return Ok(done),
            Err(failure) => retries.after(failure).await?,
        }
    }
}

fn backoff() -> ExponentialBackoff {
    ExponentialBuilder::new()
        .with_min_delay(Duration::from_millis(500))
        .with_factor(2.0)
        .with_max_delay(Duration::from_secs(20))
        .without_max_times()
        .with_jitter()
        .build()
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::sync::{Arc, Mutex};

    use rstest::rstest;
    use tokio::time::Instant;

    use super::*;
    use crate::api::error::Error;
    use crate::api::retry_budget::LONGEST_WAIT;

    fn retry_budget() -> RetryBudget {
        RetryBudget::new(Duration::from_mins(2), 3)
    }

    fn failure(status: u16) -> Failure {
        let kind = if status == 429 {
            Kind::RateLimited
        } else {
            Kind::Server
        };
        let error = Error {
            status: Some(status),
            ..Error::new(kind, "no")
        };
        Failure::new(error, Verdict::of_status(status, false))
    }

    /// Counts the attempts if all fail the same way.
    async fn attempts(repeat: Repeat, failure: Failure) -> usize {
        let count = Cell::new(0);
        let result: Result<(), _> = with_retries(
            Retries::new(repeat, &Observer::default(), retry_budget()),
            async || {
                count.set(count.get() + 1);
                Err(failure.clone())
            },
        )
        .await;
        assert!(result.is_err());
        count.get()
    }

    #[rstest]
    #[case::safe_call_after_doubt(Repeat::Safe, 503, 4)]
    #[case::unsafe_call_after_doubt(Repeat::Unsafe, 503, 1)]
    #[case::unsafe_call_that_was_turned_away(Repeat::Unsafe, 429, 4)]
    #[case::locked(Repeat::Unsafe, 423, 4)]
    #[case::a_gateways_own_code(Repeat::Safe, 530, 4)]
    #[case::no_room(Repeat::Safe, 507, 1)]
    #[case::reading_after_doubt(Repeat::Read, 503, 4)]
    #[case::forbidden(Repeat::Safe, 403, 1)]
    #[case::not_there(Repeat::Safe, 404, 1)]
    #[tokio::test(start_paused = true)]
    async fn only_what_is_safe_is_sent_again(
        #[case] repeat: Repeat,
        #[case] status: u16,
        #[case] expected: usize,
    ) {
        assert_eq!(attempts(repeat, failure(status)).await, expected);
    }

    #[rstest]
    #[case::reading(Repeat::Read, 1)]
    #[case::deleting(Repeat::Safe, 4)]
    #[case::making(Repeat::Unsafe, 1)]
    #[tokio::test(start_paused = true)]
    async fn an_unknown_answer_to_a_change_is_read_again_where_that_is_safe(
        #[case] repeat: Repeat,
        #[case] expected: usize,
    ) {
        let unrecognized = Failure::new(
            Error::new(Kind::Decode, "a web page"),
            Verdict::Unrecognized,
        );
        assert_eq!(attempts(repeat, unrecognized).await, expected);
    }

    #[tokio::test(start_paused = true)]
    async fn a_wish_for_no_wait_does_not_take_ours_away() {
        let start = Instant::now();
        let mut failure = failure(503);
        failure.error.retry_after = Some(Duration::ZERO);
        assert_eq!(attempts(Repeat::Safe, failure).await, 4);
        assert!(
            start.elapsed() >= Duration::from_millis(3_500),
            "sent again after {:?}",
            start.elapsed()
        );
    }

    #[tokio::test(start_paused = true)]
    async fn nothing_is_sent_inside_the_wait_that_the_service_asked_for() {
        let sent = RefCell::new(Vec::new());
        let waits = Arc::new(Mutex::new(Vec::new()));
        let observer = Observer::new(Arc::new({
            let waits = waits.clone();
            move |seen| waits.lock().unwrap().push(seen)
        }));
        let start = Instant::now();
        let result = with_retries(
            Retries::new(Repeat::Unsafe, &observer, retry_budget()),
            async || {
                sent.borrow_mut().push(start.elapsed());
                let mut failure = failure(429);
                failure.error.retry_after = Some(Duration::from_secs(7));
                if sent.borrow().len() == 1 {
                    Err(failure)
                } else {
                    Ok(())
                }
            },
        )
        .await;
        assert_eq!(result, Ok(()));
        assert_eq!(sent.borrow().len(), 2);
        assert!(
            sent.borrow()[1] >= Duration::from_secs(7),
            "sent at {:?}",
            sent.borrow()
        );
        let expected = Observation::Waiting {
            wait: Duration::from_secs(7),
            cause: WaitCause::Asked,
        };
        assert_eq!(*waits.lock().unwrap(), [expected]);
    }

    #[tokio::test(start_paused = true)]
    async fn waits_that_nobody_asked_for_end_with_the_time_that_an_operation_has() {
        let waits = Arc::new(Mutex::new(Vec::new()));
        let observer = Observer::new(Arc::new({
            let waits = waits.clone();
            move |seen| waits.lock().unwrap().push(seen)
        }));
        let start = Instant::now();
        let retry_budget = RetryBudget::new(Duration::from_mins(2), 99);
        let result: Result<(), _> = with_retries(
            Retries::new(Repeat::Unsafe, &observer, retry_budget),
            async || {
                Err(Failure {
                    pause: Duration::from_secs(10),
                    ..failure(429)
                })
            },
        )
        .await;
        assert_eq!(result.unwrap_err().error.kind, Kind::RateLimited);
        assert!(
            start.elapsed() < Duration::from_mins(2),
            "{:?}",
            start.elapsed()
        );
        let seen_waits = waits.lock().unwrap().clone();
        assert_eq!(
            seen_waits[0],
            Observation::Waiting {
                wait: Duration::from_secs(10),
                cause: WaitCause::RateLimit
            }
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_used_up_day_or_too_long_a_wait_ends_the_call_at_once() {
        let mut long = failure(429);
        long.error.retry_after = Some(LONGEST_WAIT + Duration::from_secs(1));
        assert_eq!(attempts(Repeat::Safe, long).await, 1);
        let daily = Failure {
            verdict: Verdict::of_status(429, true),
            ..failure(429)
        };
        assert_eq!(attempts(Repeat::Safe, daily).await, 1);
    }
}
