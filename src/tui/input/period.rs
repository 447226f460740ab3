//! Periods as people type them: `30d`, `36h`, `2w`, `3m`, `1y`, or ISO 8601 (`P1M15D`, `PT36H`).
//! The time is a parameter, never read.

use jiff::Timestamp;

use crate::api::ServiceTime;
use crate::api::model::ttl::{self, TtlError};

/// Reads a period that the service accepts for a file's life, 1 day to 1 year. Returns it as ISO
/// 8601 with its end, counted from now. The error lists the `expected` forms.
pub fn read(text: &str, now: ServiceTime, expected: &str) -> Result<(String, Timestamp), String> {
    let not_a_period = || format!("{text:?} is not a time: type {expected}.");
    let typed = text.trim().to_ascii_uppercase();
    // A bare `m` is a month, as it is for the service; ISO 8601 needs a T before hours and seconds.
    let period = match typed.chars().last() {
        _ if typed.starts_with('P') => typed,
        Some('H' | 'S') if !typed.contains('T') => format!("PT{typed}"),
        _ => format!("P{typed}"),
    };
    if !period.contains(|c: char| c.is_ascii_digit())
        || !period
            .chars()
            .all(|c| c.is_ascii_digit() || "PYMWDTHS.,".contains(c))
    {
        return Err(not_a_period());
    }
    match ttl::end(&period, now.timestamp()) {
        Ok(end) => Ok((period, end)),
        Err(TtlError::NotAPeriod) => Err(not_a_period()),
        Err(TtlError::OutOfBounds) => {
            Err("It must be 1 day at least and 1 year at most.".to_owned())
        }
    }
}

/// Reads the validity of a signed URL, `90s`, `20m`, `6h` or bare seconds; at most 6 hours
/// (`contract.md#signed-addresses`).
pub fn read_seconds(text: &str) -> Result<u64, String> {
    const MOST: u64 = 6 * 3_600;
    let text = text.trim().to_ascii_lowercase();
    let (digits, factor) = match text.chars().last() {
        Some('h') => (text.trim_end_matches('h'), 3_600),
        Some('m') => (text.trim_end_matches('m'), 60),
        Some('s') => (text.trim_end_matches('s'), 1),
        _ => (text.as_str(), 1),
    };
    let seconds = digits
        .trim()
        .parse::<u64>()
        .ok()
        .and_then(|number| number.checked_mul(factor));
    seconds
        .filter(|seconds| (1..=MOST).contains(seconds))
        .ok_or_else(|| "Type a time of at most 6 hours: 90s, 20m, 6h.".to_owned())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn now() -> ServiceTime {
        ServiceTime::new(
            "2026-11-21T08:00:00Z".parse().unwrap(),
            jiff::SignedDuration::ZERO,
        )
    }

    #[rstest]
    #[case::days("30d", "P30D", "2026-12-21T08:00:00Z")]
    #[case::weeks("2W", "P2W", "2026-12-05T08:00:00Z")]
    #[case::months("3m", "P3M", "2027-02-21T08:00:00Z")]
    #[case::a_year(" 1y ", "P1Y", "2027-11-21T08:00:00Z")]
    #[case::least("1d", "P1D", "2026-11-22T08:00:00Z")]
    #[case::iso("p1m15d", "P1M15D", "2027-01-05T08:00:00Z")]
    #[case::iso_hours("PT24H", "PT24H", "2026-11-22T08:00:00Z")]
    #[case::iso_mixed("p1dt12h", "P1DT12H", "2026-11-22T20:00:00Z")]
    #[case::hours("36h", "PT36H", "2026-11-22T20:00:00Z")]
    #[case::seconds("86400s", "PT86400S", "2026-11-22T08:00:00Z")]
    fn periods_are_written_as_iso(#[case] text: &str, #[case] period: &str, #[case] end: &str) {
        assert_eq!(
            read(text, now(), "30d"),
            Ok((period.to_owned(), end.parse().unwrap()))
        );
    }

    #[rstest]
    #[case::hour("PT1H")]
    #[case::nothing("0d")]
    #[case::two_years("2y")]
    #[case::a_day_too_many("366d")]
    #[case::word("soon")]
    #[case::no_number("d")]
    #[case::bare_number("30")]
    #[case::negative("-3d")]
    #[case::far("999999999999y")]
    fn what_the_service_would_refuse_is_refused_here(#[case] text: &str) {
        assert!(
            read(text, now(), "30d").is_err(),
            "{:?}",
            read(text, now(), "30d")
        );
    }

    #[rstest]
    fn what_is_too_short_or_too_long_is_told_the_bounds(
        #[values("23h", "PT23H59M59S", "0d", "2y", "366d")] text: &str,
    ) {
        let problem = read(text, now(), "30d").unwrap_err();
        assert!(problem.contains("1 day at least"), "{problem}");
    }

    #[rstest]
    #[case::hours("6h", Ok(21_600))]
    #[case::minutes("20m", Ok(1_200))]
    #[case::bare("90", Ok(90))]
    #[case::too_long("7h", Err(()))]
    #[case::nothing("0", Err(()))]
    #[case::word("long", Err(()))]
    fn validity_of_a_signed_address_is_at_most_six_hours(
        #[case] text: &str,
        #[case] expected: Result<u64, ()>,
    ) {
        assert_eq!(read_seconds(text).map_err(|_| ()), expected);
    }
}
