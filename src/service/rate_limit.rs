//! The request budget of a token: a rolling window of ten seconds and a daily total, told in the headers of every
//! answer (`wire.md` §10). Off unless the service is started with a limit.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::clock::Clock;
use super::error::ApiError;

const WINDOW: SignedDuration = SignedDuration::from_secs(10);

const MAX: HeaderName = HeaderName::from_static("x-hubspot-ratelimit-max");
const REMAINING: HeaderName = HeaderName::from_static("x-hubspot-ratelimit-remaining");
const INTERVAL: HeaderName = HeaderName::from_static("x-hubspot-ratelimit-interval-milliseconds");
const DAILY: HeaderName = HeaderName::from_static("x-hubspot-ratelimit-daily");
const DAILY_REMAINING: HeaderName = HeaderName::from_static("x-hubspot-ratelimit-daily-remaining");

/// How many requests are carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimit {
    /// In any ten seconds.
    pub burst: u32,
    /// From midnight to midnight, UTC.
    pub daily: u32,
}

impl RateLimit {
    /// So little that a person browsing meets it: 20 in ten seconds.
    pub fn tight() -> Self {
        Self { burst: 20, daily: 250_000 }
    }
}

/// Counts requests against the limit. Clones share the count.
#[derive(Debug, Clone)]
pub(super) struct RateLimiter {
    limit: RateLimit,
    clock: Clock,
    used: Arc<Mutex<Used>>,
}

#[derive(Debug, Default)]
struct Used {
    /// When the requests of the window came, oldest first; never more than the limit.
    recent: VecDeque<Timestamp>,
    day: Option<Date>,
    today: u32,
}

/// What is left after a request, or why it is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Budget {
    burst_left: u32,
    daily_left: u32,
    refused: Option<&'static str>,
}

impl RateLimiter {
    pub(super) fn new(limit: RateLimit, clock: Clock) -> Self {
        Self { limit, clock, used: Arc::default() }
    }

    fn take(&self) -> Budget {
        let now = self.clock.now();
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let day = now.to_zoned(TimeZone::UTC).date();
        if used.day != Some(day) {
            used.day = Some(day);
            used.today = 0;
        }
        while used.recent.front().is_some_and(|oldest| now.duration_since(*oldest) >= WINDOW) {
            used.recent.pop_front();
        }
        let in_window = u32::try_from(used.recent.len()).unwrap_or(u32::MAX);
        let refused = if used.today >= self.limit.daily {
            Some("DAILY")
        } else if in_window >= self.limit.burst {
            Some("TEN_SECONDLY_ROLLING")
        } else {
            used.recent.push_back(now);
            used.today += 1;
            None
        };
        let in_window = u32::try_from(used.recent.len()).unwrap_or(u32::MAX);
        Budget {
            burst_left: self.limit.burst.saturating_sub(in_window),
            daily_left: self.limit.daily.saturating_sub(used.today),
            refused,
        }
    }
}

/// For `axum::middleware::from_fn_with_state`.
pub(super) async fn count(State(limiter): State<RateLimiter>, request: Request, next: Next) -> Response {
    let budget = limiter.take();
    let mut response = match budget.refused {
        Some(policy) => refusal(policy).into_response(),
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    headers.insert(MAX, HeaderValue::from(limiter.limit.burst));
    headers.insert(REMAINING, HeaderValue::from(budget.burst_left));
    headers.insert(INTERVAL, HeaderValue::from(WINDOW.as_secs() * 1000));
    headers.insert(DAILY, HeaderValue::from(limiter.limit.daily));
    headers.insert(DAILY_REMAINING, HeaderValue::from(budget.daily_left));
    response
}

/// The body of a 429, in the words that official clients look for.
pub(super) fn refusal(policy: &str) -> ApiError {
    let limit = match policy {
        "DAILY" => "daily",
        "SECONDLY" => "secondly",
        _ => "ten_secondly_rolling",
    };
    let mut error = ApiError::new(StatusCode::TOO_MANY_REQUESTS, format!("You have reached your {limit} limit."))
        .with_category("RATE_LIMITS");
    error.problem.error_type = Some("RATE_LIMIT".to_owned());
    error.problem.policy_name = Some(policy.to_owned());
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limiter(burst: u32, daily: u32) -> (RateLimiter, Clock) {
        let clock = Clock::manual("2026-03-01T23:59:00Z".parse().unwrap());
        (RateLimiter::new(RateLimit { burst, daily }, clock.clone()), clock)
    }

    #[test]
    fn no_ten_seconds_hold_more_requests_than_the_burst() {
        let (limiter, clock) = limiter(3, 100);
        assert_eq!(limiter.take().burst_left, 2);
        clock.advance(SignedDuration::from_secs(6));
        limiter.take();
        limiter.take();
        assert_eq!(limiter.take().refused, Some("TEN_SECONDLY_ROLLING"));
        clock.advance(SignedDuration::from_secs(4));
        assert_eq!(limiter.take(), Budget { burst_left: 0, daily_left: 96, refused: None });
        assert_eq!(limiter.take().refused, Some("TEN_SECONDLY_ROLLING"));
    }

    #[test]
    fn the_daily_budget_is_back_at_midnight() {
        let (limiter, clock) = limiter(10, 2);
        limiter.take();
        limiter.take();
        assert_eq!(limiter.take().refused, Some("DAILY"));
        clock.advance(SignedDuration::from_mins(1));
        assert_eq!(limiter.take(), Budget { burst_left: 9, daily_left: 1, refused: None });
    }
}
