//! Which failed call may be sent again, and when: the pure policy, and backon to carry it out (`reliability.md` A1–A3).

use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBuilder, Retryable};

use super::error::{Error, Kind};
use super::observe::{Observation, Observer, WaitCause};

/// A longer wait than this is reported, not sat through (`reliability.md` A3).
pub(super) const LONGEST_WAIT: Duration = Duration::from_mins(5);

/// A user is waiting: four attempts at most, the first one included.
const RETRIES: usize = 3;

/// Whether a call may be made twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Repeat {
    /// A second time changes nothing more: reading, deleting, setting or replacing.
    Safe,
    /// A second time may make a second thing: sent again only if the first one surely did nothing.
    Unsafe,
}

/// What a failure says about the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Sending it again would not help.
    Final,
    /// It was turned away before anything was done.
    Unprocessed,
    /// It may have been carried out.
    Doubtful,
}

/// A failed call and what may follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failure {
    /// Boxed, so that results stay small.
    pub(super) error: Box<Error>,
    pub(super) verdict: Verdict,
    /// An attempt before this one may have been carried out.
    pub(super) doubted_before: bool,
}

impl Failure {
    pub(super) fn new(error: Error, verdict: Verdict) -> Self {
        Self { error: Box::new(error), verdict, doubted_before: false }
    }
}

impl From<Error> for Failure {
    /// A failure that no repetition mends.
    fn from(error: Error) -> Self {
        Self::new(error, Verdict::Final)
    }
}

impl Verdict {
    /// The verdict on an error answer (`wire.md` §9, §10). A used-up daily budget is final.
    pub(super) fn of_status(status: u16, daily: bool) -> Self {
        match status {
            429 if daily => Self::Final,
            423 | 429 | 477 => Self::Unprocessed,
            408 | 500 | 502 | 503 | 504 | 521..=524 => Self::Doubtful,
            _ => Self::Final,
        }
    }

    pub(super) fn allows(self, repeat: Repeat) -> bool {
        match self {
            Self::Final => false,
            Self::Unprocessed => true,
            Self::Doubtful => repeat == Repeat::Safe,
        }
    }
}

/// Calls `attempt` until it succeeds or the policy ends it. Waits are told to `observer`. Cancel-safe if `attempt` is.
pub(super) async fn with_retries<T, Attempt>(
    repeat: Repeat,
    observer: &Observer,
    attempt: impl FnMut() -> Attempt,
) -> Result<T, Failure>
where
    Attempt: Future<Output = Result<T, Failure>>,
{
    let mut doubted = false;
    let result = attempt
        .retry(backoff())
        .when(|failure: &Failure| failure.verdict.allows(repeat))
        .adjust(|failure, wait| wait.and_then(|wait| next_wait(&failure.error, wait)))
        .notify(|failure, wait| {
            doubted |= failure.verdict == Verdict::Doubtful;
            tracing::debug!(status = failure.error.status, kind = ?failure.error.kind, ?wait, "call failed, trying again");
            let limited = failure.error.kind == Kind::RateLimited;
            let cause = if limited { WaitCause::RateLimit } else { WaitCause::Retry };
            observer.tell(Observation::Waiting { wait, cause });
        })
        .await;
    result.map_err(|failure| Failure { doubted_before: doubted, ..failure })
}

fn backoff() -> impl BackoffBuilder {
    ExponentialBuilder::new()
        .with_min_delay(Duration::from_millis(500))
        .with_factor(2.0)
        .with_max_delay(Duration::from_secs(20))
        .with_max_times(RETRIES)
        .with_jitter()
}

/// The service's own wish comes before our back-off; too long a wish ends the call.
fn next_wait(error: &Error, backoff: Duration) -> Option<Duration> {
    match error.retry_after {
        Some(wish) if wish > LONGEST_WAIT => None,
        Some(wish) => Some(wish),
        None => Some(backoff),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::sync::{Arc, Mutex};

    use rstest::rstest;
    use tokio::time::Instant;

    use super::*;

    fn failure(status: u16) -> Failure {
        let kind = if status == 429 { Kind::RateLimited } else { Kind::Server };
        let error = Error { status: Some(status), ..Error::new(kind, "no") };
        Failure::new(error, Verdict::of_status(status, false))
    }

    /// How many attempts are made when all fail the same way.
    async fn attempts(repeat: Repeat, failure: Failure) -> usize {
        let count = Cell::new(0);
        let result: Result<(), _> = with_retries(repeat, &Observer::default(), || {
            count.set(count.get() + 1);
            let failure = failure.clone();
            async move { Err(failure) }
        })
        .await;
        assert!(result.is_err());
        count.get()
    }

    #[rstest]
    #[case::safe_call_after_doubt(Repeat::Safe, 503, 4)]
    #[case::unsafe_call_after_doubt(Repeat::Unsafe, 503, 1)]
    #[case::unsafe_call_that_was_turned_away(Repeat::Unsafe, 429, 4)]
    #[case::locked(Repeat::Unsafe, 423, 4)]
    #[case::forbidden(Repeat::Safe, 403, 1)]
    #[case::not_there(Repeat::Safe, 404, 1)]
    #[tokio::test(start_paused = true)]
    async fn only_what_is_safe_is_sent_again(#[case] repeat: Repeat, #[case] status: u16, #[case] expected: usize) {
        assert_eq!(attempts(repeat, failure(status)).await, expected);
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
        let result = with_retries(Repeat::Unsafe, &observer, || {
            sent.borrow_mut().push(start.elapsed());
            let first = sent.borrow().len() == 1;
            async move {
                let mut failure = failure(429);
                failure.error.retry_after = Some(Duration::from_secs(7));
                if first { Err(failure) } else { Ok(()) }
            }
        })
        .await;
        assert_eq!(result, Ok(()));
        assert_eq!(sent.borrow().len(), 2);
        assert!(sent.borrow()[1] >= Duration::from_secs(7), "sent at {:?}", sent.borrow());
        let expected = Observation::Waiting { wait: Duration::from_secs(7), cause: WaitCause::RateLimit };
        assert_eq!(*waits.lock().unwrap(), [expected]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_used_up_day_or_too_long_a_wait_ends_the_call_at_once() {
        let mut long = failure(429);
        long.error.retry_after = Some(LONGEST_WAIT + Duration::from_secs(1));
        assert_eq!(attempts(Repeat::Safe, long).await, 1);
        let daily = Failure { verdict: Verdict::of_status(429, true), ..failure(429) };
        assert_eq!(attempts(Repeat::Safe, daily).await, 1);
    }
}
