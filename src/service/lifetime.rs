//! How long a file lives: `ttl` and `expiresAt` of the requests that make or change one (`service-seed.md` §2.3).

use jiff::fmt::temporal::SpanParser;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _, Zoned};

use super::error::ApiError;

/// When a file of this `ttl` or `expiresAt` goes; none for one that stays. At most one of the two may be given.
pub(crate) fn expiry(
    ttl: Option<&str>,
    expires_at: Option<Timestamp>,
    now: Timestamp,
) -> Result<Option<Timestamp>, ApiError> {
    match (ttl, expires_at) {
        (None, None) => Ok(None),
        (Some(_), Some(_)) => Err(ApiError::validation("ttl and expiresAt cannot be set together")),
        (Some(ttl), None) => after_ttl(ttl, now).map(Some),
        (None, Some(time)) => in_future(time, now).map(Some),
    }
}

/// A time that is still to come.
pub(crate) fn in_future(time: Timestamp, now: Timestamp) -> Result<Timestamp, ApiError> {
    if time > now { Ok(time) } else { Err(ApiError::validation("expiresAt must be in the future")) }
}

/// The end of an ISO 8601 period that starts now, counted on the calendar in UTC: at least 1 day, at most 1 year.
fn after_ttl(ttl: &str, now: Timestamp) -> Result<Timestamp, ApiError> {
    let refused = |reason: &str| ApiError::validation(format!("ttl {reason}")).with_context("ttl", ttl);
    let span = SpanParser::new()
        .parse_span(ttl.as_bytes())
        .map_err(|_| refused("must be an ISO 8601 period such as P1D, P2W, P3M or P1Y"))?;
    let start = Zoned::new(now, TimeZone::UTC);
    let (end, shortest, longest) = (start.checked_add(span), start.checked_add(1.day()), start.checked_add(1.year()));
    match (end, shortest, longest) {
        (Ok(end), Ok(shortest), Ok(longest)) if shortest <= end && end <= longest => Ok(end.timestamp()),
        _ => Err(refused("must be at least 1 day and at most 1 year")),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn now() -> Timestamp {
        "2026-01-31T12:00:00Z".parse().unwrap()
    }

    #[rstest]
    #[case::shortest("P1D", "2026-02-01T12:00:00Z")]
    #[case::weeks("P2W", "2026-02-14T12:00:00Z")]
    #[case::month_end("P1M", "2026-02-28T12:00:00Z")]
    #[case::longest("P1Y", "2027-01-31T12:00:00Z")]
    #[case::same_as_a_year("P12M", "2027-01-31T12:00:00Z")]
    #[case::hours("PT36H", "2026-02-02T00:00:00Z")]
    fn a_ttl_ends_on_the_calendar(#[case] ttl: &str, #[case] end: &str) {
        assert_eq!(expiry(Some(ttl), None, now()), Ok(Some(end.parse().unwrap())));
    }

    #[rstest]
    #[case::an_hour("PT1H")]
    #[case::just_short("PT23H59M59S")]
    #[case::two_years("P2Y")]
    #[case::just_long("P1Y1D")]
    #[case::negative("-P3D")]
    #[case::endless("P9999999Y")]
    #[case::words("1 week")]
    #[case::empty("")]
    fn a_ttl_out_of_bounds_is_refused(#[case] ttl: &str) {
        assert_eq!(expiry(Some(ttl), None, now()).unwrap_err().status, 400);
    }

    #[test]
    fn a_ttl_and_a_time_exclude_each_other() {
        assert!(expiry(Some("P1D"), Some(now() + 48.hours()), now()).is_err());
        assert!(expiry(None, Some(now()), now()).is_err());
        assert_eq!(expiry(None, None, now()), Ok(None));
    }
}
