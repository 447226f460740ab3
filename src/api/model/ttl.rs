//! The `ttl` of requests: an ISO 8601 period of one day to one year, counted from the request
//! (`contract.md#lifetimes`) on the UTC calendar, so a year may have 366 days. Pure: the time is an
//! argument.

use jiff::fmt::temporal::SpanParser;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _, Zoned};

/// The defect of a `ttl`; the message follows the name of the parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TtlError {
    /// It is not an ISO 8601 period of whole days, weeks, months or years.
    #[error("must be an ISO 8601 period such as P1D, P2W, P3M or P1Y")]
    NotAPeriod,
    /// It is shorter than a day or longer than a year.
    #[error("must be at least 1 day and at most 1 year")]
    OutOfBounds,
}

/// Returns the end of a period that starts at `from`.
///
/// # Errors
///
/// If the text is not a period, or not within the bounds.
pub fn end(ttl: &str, from: Timestamp) -> Result<Timestamp, TtlError> {
    let span = SpanParser::new()
        .parse_span(ttl.as_bytes())
        .map_err(|_| TtlError::NotAPeriod)?;
    let start = Zoned::new(from, TimeZone::UTC);
    let (end, shortest, longest) = (
        start.checked_add(span),
        start.checked_add(1.day()),
        start.checked_add(1.year()),
    );
    match (end, shortest, longest) {
        (Ok(end), Ok(shortest), Ok(longest)) if shortest <= end && end <= longest => {
            Ok(end.timestamp())
        }
        _ => Err(TtlError::OutOfBounds),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn from() -> Timestamp {
        "2026-01-31T12:00:00Z".parse().unwrap()
    }

    #[rstest]
    #[case::shortest("P1D", "2026-02-01T12:00:00Z")]
    #[case::a_day_in_hours("PT24H", "2026-02-01T12:00:00Z")]
    #[case::weeks("P2W", "2026-02-14T12:00:00Z")]
    #[case::month_end("P1M", "2026-02-28T12:00:00Z")]
    #[case::longest("P1Y", "2027-01-31T12:00:00Z")]
    #[case::same_as_a_year("P12M", "2027-01-31T12:00:00Z")]
    #[case::days_of_a_year("P365D", "2027-01-31T12:00:00Z")]
    #[case::hours("PT36H", "2026-02-02T00:00:00Z")]
    fn a_ttl_ends_on_the_calendar(#[case] ttl: &str, #[case] expected: &str) {
        assert_eq!(end(ttl, from()), Ok(expected.parse().unwrap()));
    }

    #[test]
    fn a_year_with_a_29_february_in_it_has_366_days() {
        let from = "2027-06-01T00:00:00Z".parse().unwrap();
        assert_eq!(
            end("P366D", from),
            Ok("2028-06-01T00:00:00Z".parse().unwrap())
        );
        assert_eq!(end("P367D", from), Err(TtlError::OutOfBounds));
    }

    #[rstest]
    #[case::an_hour("PT1H", TtlError::OutOfBounds)]
    #[case::just_short("PT23H59M59S", TtlError::OutOfBounds)]
    #[case::two_years("P2Y", TtlError::OutOfBounds)]
    #[case::just_long("P1Y1D", TtlError::OutOfBounds)]
    #[case::a_day_more_than_this_year("P366D", TtlError::OutOfBounds)]
    #[case::negative("-P3D", TtlError::OutOfBounds)]
    #[case::endless("P9999999Y", TtlError::NotAPeriod)]
    #[case::words("1 week", TtlError::NotAPeriod)]
    #[case::bare_seconds("86400", TtlError::NotAPeriod)]
    #[case::empty("", TtlError::NotAPeriod)]
    fn what_is_no_period_of_a_day_to_a_year_is_refused(#[case] ttl: &str, #[case] error: TtlError) {
        assert_eq!(end(ttl, from()), Err(error));
    }
}
