//! Configurable request quotas: rolling windows per token and a daily total for all tokens,
//! reported in the headers of every response (`contract.md#rate-limits`). Off unless the service is
//! started with some.

use std::cmp::Reverse;
use std::str::FromStr;
use std::sync::Arc;

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use crate::service::answer::error::ApiError;
use crate::service::clock::Clock;
use crate::service::metrics::RateLimitRefusals;
use crate::service::store::{RequestCounts, Store, StoreError};

const MAX: HeaderName = HeaderName::from_static("x-hubspot-ratelimit-max");
const REMAINING: HeaderName = HeaderName::from_static("x-hubspot-ratelimit-remaining");
const INTERVAL: HeaderName = HeaderName::from_static("x-hubspot-ratelimit-interval-milliseconds");
const SECONDLY: HeaderName = HeaderName::from_static("x-hubspot-ratelimit-secondly");
const SECONDLY_REMAINING: HeaderName =
    HeaderName::from_static("x-hubspot-ratelimit-secondly-remaining");
const DAILY: HeaderName = HeaderName::from_static("x-hubspot-ratelimit-daily");
const DAILY_REMAINING: HeaderName = HeaderName::from_static("x-hubspot-ratelimit-daily-remaining");

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    pub requests: u32,
    pub period: Period,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Period {
    /// A rolling window of this many seconds, for each token.
    Seconds(u32),
    /// The day in UTC, for all tokens together.
    Day,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a limit is COUNT/SECONDSs or COUNT/day, as in 100/10s, 5/1s or 250000/day")]
pub struct NotAQuota;

impl FromStr for Quota {
    type Err = NotAQuota;

    fn from_str(text: &str) -> Result<Self, NotAQuota> {
        let (requests, period) = text.split_once('/').ok_or(NotAQuota)?;
        let requests = requests.trim().parse().map_err(|_| NotAQuota)?;
        let period = match period.trim() {
            "day" => Period::Day,
            period => {
                let seconds = period
                    .strip_suffix('s')
                    .ok_or(NotAQuota)?
                    .parse()
                    .map_err(|_| NotAQuota)?;
                (seconds > 0)
                    .then_some(Period::Seconds(seconds))
                    .ok_or(NotAQuota)?
            }
        };
        Ok(Self { requests, period })
    }
}

impl Quota {
    /// The name of the policy in a refusal. Two quotas with the same name would use the same
    /// headers.
    pub fn policy(&self) -> &'static str {
        match self.period {
            Period::Seconds(1) => "SECONDLY",
            Period::Seconds(_) => "TEN_SECONDLY_ROLLING",
            Period::Day => "DAILY",
        }
    }

    fn left(self, counts: &RequestCounts, now: Timestamp) -> u32 {
        let used = match self.period {
            Period::Day => counts.today,
            Period::Seconds(_) => {
                let young = counts
                    .recent
                    .iter()
                    .rev()
                    .take_while(|at| now.duration_since(**at) < window(self));
                young.count() as u64
            }
        };
        self.requests
            .saturating_sub(u32::try_from(used).unwrap_or(u32::MAX))
    }

    fn tell(&self, left: u32, headers: &mut HeaderMap) {
        let (max, remaining) = match self.period {
            Period::Seconds(1) => (SECONDLY, SECONDLY_REMAINING),
            Period::Seconds(seconds) => {
                headers.insert(INTERVAL, HeaderValue::from(u64::from(seconds) * 1000));
                (MAX, REMAINING)
            }
            Period::Day => (DAILY, DAILY_REMAINING),
        };
        headers.insert(max, HeaderValue::from(self.requests));
        headers.insert(remaining, HeaderValue::from(left));
    }
}

/// Counts requests against the quotas, together with the other processes of a store. Clones share
/// the counts.
#[derive(Debug, Clone)]
pub(crate) struct RateLimiter {
    quotas: Arc<[Quota]>,
    clock: Clock,
    store: Store,
    refusals: RateLimitRefusals,
}

/// The rest of each quota (longest period first) after a request, or the policy that refuses it.
#[derive(Debug, PartialEq, Eq)]
struct TokenBudget {
    left: Vec<u32>,
    refused: Option<&'static str>,
}

impl RateLimiter {
    /// Returns `None` without quotas: every request is then carried out.
    pub(crate) fn new(
        quotas: &[Quota],
        clock: Clock,
        store: Store,
        refusals: RateLimitRefusals,
    ) -> Option<Self> {
        let mut quotas = quotas.to_vec();
        // The used-up quota with the longest period is reported.
        quotas.sort_by_key(|quota| match quota.period {
            Period::Day => Reverse(u32::MAX),
            Period::Seconds(seconds) => Reverse(seconds),
        });
        (!quotas.is_empty()).then(|| Self {
            quotas: quotas.into(),
            clock,
            store,
            refusals,
        })
    }

    /// Returns the response to a request of this token, or a refusal, with the rest of the quotas
    /// in its headers.
    pub(super) async fn count(
        &self,
        token: &str,
        answer: impl Future<Output = Response>,
    ) -> Response {
        let budget = match self.take(token).await {
            Ok(budget) => budget,
            Err(error) => return ApiError::from(error).into_response(),
        };
        let mut response = match budget.refused {
            Some(policy) => {
                self.refusals.count(policy);
                refusal(policy).into_response()
            }
            None => answer.await,
        };
        for (quota, left) in self.quotas.iter().zip(budget.left) {
            quota.tell(left, response.headers_mut());
        }
        response
    }

    async fn take(&self, token: &str) -> Result<TokenBudget, StoreError> {
        let (now, quotas) = (self.clock.now(), self.quotas.clone());
        let has_day = quotas.iter().any(|quota| quota.period == Period::Day);
        let day = has_day.then(|| now.to_zoned(TimeZone::UTC).date());
        self.store
            .count_requests(token, day, move |counts| take(&quotas, counts, now))
            .await
    }
}

/// Counts a request unless a quota is used up.
fn take(quotas: &[Quota], counts: &mut RequestCounts, now: Timestamp) -> TokenBudget {
    let longest = quotas
        .iter()
        .map(|quota| window(*quota))
        .max()
        .unwrap_or_default();
    while counts
        .recent
        .front()
        .is_some_and(|oldest| now.duration_since(*oldest) >= longest)
    {
        counts.recent.pop_front();
    }
    let left: Vec<u32> = quotas.iter().map(|quota| quota.left(counts, now)).collect();
    if let Some((quota, _)) = quotas.iter().zip(&left).find(|(_, left)| **left == 0) {
        return TokenBudget {
            left,
            refused: Some(quota.policy()),
        };
    }
    counts.recent.push_back(now);
    counts.today += 1;
    TokenBudget {
        left: left.into_iter().map(|left| left - 1).collect(),
        refused: None,
    }
}

/// Returns the time for which a request counts; a daily total keeps no times.
fn window(quota: Quota) -> SignedDuration {
    match quota.period {
        Period::Seconds(seconds) => SignedDuration::from_secs(seconds.into()),
        Period::Day => SignedDuration::ZERO,
    }
}

/// The body of a 429 response, with the words that official clients look for.
pub(crate) fn refusal(policy: &str) -> ApiError {
    let message = format!(
        "You have reached your {} limit.",
        policy.to_ascii_lowercase()
    );
    let mut error =
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, message).with_category("RATE_LIMITS");
    error.problem.error_type = Some("RATE_LIMIT".to_owned());
    error.problem.policy_name = Some(policy.to_owned());
    error
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use tempfile::TempDir;

    use super::*;

    // The tests fail with one window for all tokens, with windows that forget at once, and if days
    // do not count.
    async fn limiter(quotas: &[&str]) -> (TempDir, RateLimiter, Clock) {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(&dir.path().join("filedeck.db"), None)
            .await
            .unwrap();
        let clock = Clock::manual("2026-03-01T23:59:00Z".parse().unwrap());
        let quotas: Vec<Quota> = quotas.iter().map(|text| text.parse().unwrap()).collect();
        (
            dir,
            RateLimiter::new(&quotas, clock.clone(), store, RateLimitRefusals::default()).unwrap(),
            clock,
        )
    }

    fn left(left: &[u32]) -> TokenBudget {
        TokenBudget {
            left: left.to_vec(),
            refused: None,
        }
    }

    #[tokio::test]
    async fn no_ten_seconds_hold_more_requests_than_the_quota() {
        let (_dir, limiter, clock) = limiter(&["3/10s", "100/day"]).await;
        assert_eq!(limiter.take("a").await.unwrap(), left(&[99, 2]));
        clock.advance(SignedDuration::from_secs(6));
        limiter.take("a").await.unwrap();
        limiter.take("a").await.unwrap();
        assert_eq!(
            limiter.take("a").await.unwrap().refused,
            Some("TEN_SECONDLY_ROLLING")
        );
        clock.advance(SignedDuration::from_secs(4));
        assert_eq!(limiter.take("a").await.unwrap(), left(&[96, 0]));
        assert_eq!(
            limiter.take("a").await.unwrap().refused,
            Some("TEN_SECONDLY_ROLLING")
        );
    }

    #[tokio::test]
    async fn windows_are_a_tokens_own_and_the_day_is_for_all() {
        let (_dir, limiter, _) = limiter(&["1/10s", "3/day"]).await;
        assert_eq!(limiter.take("a").await.unwrap(), left(&[2, 0]));
        assert_eq!(
            limiter.take("a").await.unwrap().refused,
            Some("TEN_SECONDLY_ROLLING")
        );
        assert_eq!(limiter.take("b").await.unwrap(), left(&[1, 0]));
        assert_eq!(limiter.take("c").await.unwrap(), left(&[0, 0]));
        assert_eq!(limiter.take("d").await.unwrap().refused, Some("DAILY"));
        assert_eq!(
            limiter.take("a").await.unwrap().refused,
            Some("DAILY"),
            "the longer wait is said"
        );
    }

    #[tokio::test]
    async fn two_windows_hold_at_once() {
        let (_dir, limiter, clock) = limiter(&["2/1s", "3/10s"]).await;
        limiter.take("a").await.unwrap();
        assert_eq!(limiter.take("a").await.unwrap(), left(&[1, 0]));
        assert_eq!(limiter.take("a").await.unwrap().refused, Some("SECONDLY"));
        clock.advance(SignedDuration::from_secs(1));
        assert_eq!(limiter.take("a").await.unwrap(), left(&[0, 1]));
        assert_eq!(
            limiter.take("a").await.unwrap().refused,
            Some("TEN_SECONDLY_ROLLING")
        );
    }

    #[tokio::test]
    async fn the_daily_budget_is_back_at_midnight() {
        let (_dir, limiter, clock) = limiter(&["2/day"]).await;
        limiter.take("a").await.unwrap();
        limiter.take("a").await.unwrap();
        assert_eq!(limiter.take("a").await.unwrap().refused, Some("DAILY"));
        clock.advance(SignedDuration::from_mins(1));
        assert_eq!(limiter.take("a").await.unwrap(), left(&[1]));
    }

    #[rstest]
    #[case::window("100/10s", Some(Quota { requests: 100, period: Period::Seconds(10) }))]
    #[case::day("250000/day", Some(Quota { requests: 250_000, period: Period::Day }))]
    #[case::nothing_at_all("0/10s", Some(Quota { requests: 0, period: Period::Seconds(10) }))]
    #[case::no_unit("100/10", None)]
    #[case::no_time("100/0s", None)]
    #[case::no_period("100", None)]
    #[case::negative("-1/10s", None)]
    fn quotas_are_read(#[case] text: &str, #[case] quota: Option<Quota>) {
        assert_eq!(text.parse().ok(), quota);
    }
}
