//! Sizes, ages and counts as a person reads them. Every time is relative to a `now` that the caller gives.

use jiff::Timestamp;
use jiff::tz::TimeZone;

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
const WEEK: i64 = 7 * DAY;
const YEAR: i64 = 365 * DAY;

/// Bytes in at most five cells, in powers of 1024 as `ls -h`: `512B`, `9.8K`, `403K`, `1.2M`.
pub fn size(bytes: u64) -> String {
    let short = bytesize::ByteSize(bytes).display().iec_short();
    let unit = 1024_u64.saturating_pow(bytes.max(1).ilog2() / 10);
    if bytes / unit >= 10 || unit == 1 { format!("{short:.0}") } else { format!("{short:.1}") }
}

/// A count with its thousands apart: `412,338`.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The same of what was counted here.
pub fn number(count: usize) -> String {
    grouped(u64::try_from(count).unwrap_or(u64::MAX))
}

/// How long ago, in at most four cells: `now`, `40s`, `3h`, `12d`, `8w`, `2y`. A time to come counts as now.
pub fn age(then: Timestamp, now: Timestamp) -> String {
    match now.as_second().saturating_sub(then.as_second()) {
        ..=4 => "now".to_owned(),
        seconds => span(seconds),
    }
}

/// The same in words: `3h ago`, `just now`.
pub fn ago(then: Timestamp, now: Timestamp) -> String {
    match age(then, now).as_str() {
        "now" => "just now".to_owned(),
        age => format!("{age} ago"),
    }
}

/// How long until, rounded down: `6d`, `40m`; `past` once it is over.
pub fn until(then: Timestamp, now: Timestamp) -> String {
    match then.as_second().saturating_sub(now.as_second()) {
        ..=0 => "past".to_owned(),
        seconds => span(seconds),
    }
}

fn span(seconds: i64) -> String {
    match seconds {
        s if s < MINUTE => format!("{s}s"),
        s if s < HOUR => format!("{}m", s / MINUTE),
        s if s < 2 * DAY => format!("{}h", s / HOUR),
        s if s < 10 * WEEK => format!("{}d", s / DAY),
        s if s < 2 * YEAR => format!("{}w", s / WEEK),
        s => format!("{}y", s / YEAR),
    }
}

/// A running time: `12s`, from a minute on `1:05`, from an hour on `2:03:09`.
pub fn elapsed(seconds: u64) -> String {
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, s) => format!("{s}s"),
        (0, m, s) => format!("{m}:{s:02}"),
        (h, m, s) => format!("{h}:{m:02}:{s:02}"),
    }
}

/// The day in the given zone: `2026-08-01`.
pub fn date(time: Timestamp, zone: &TimeZone) -> String {
    time.to_zoned(zone.clone()).strftime("%Y-%m-%d").to_string()
}

/// Day and minute in the given zone: `2026-08-01 09:30`.
pub fn date_time(time: Timestamp, zone: &TimeZone) -> String {
    time.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M").to_string()
}

/// Time of day in the given zone: `09:30`.
pub fn minute(time: Timestamp, zone: &TimeZone) -> String {
    time.to_zoned(zone.clone()).strftime("%H:%M").to_string()
}

/// The same with its seconds: `09:30:12`.
pub fn time_of_day(time: Timestamp, zone: &TimeZone) -> String {
    time.to_zoned(zone.clone()).strftime("%H:%M:%S").to_string()
}

/// `1 item`, `1,000 items`.
pub fn count(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{} {noun}s", number(count)) }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::nothing(0, "0B")]
    #[case::bytes(1023, "1023B")]
    #[case::one_kib(1024, "1.0K")]
    #[case::kib(412_338, "403K")]
    #[case::ten_kib(10_240, "10K")]
    #[case::mib(1_258_291, "1.2M")]
    #[case::gib(5_368_709_120, "5.0G")]
    #[case::most(u64::MAX, "16E")]
    fn sizes_are_short(#[case] bytes: u64, #[case] expected: &str) {
        assert_eq!(size(bytes), expected);
    }

    #[rstest]
    #[case(7, "7")]
    #[case(999, "999")]
    #[case(412_338, "412,338")]
    #[case(1_000_000, "1,000,000")]
    fn thousands_stand_apart(#[case] number: u64, #[case] expected: &str) {
        assert_eq!(grouped(number), expected);
    }

    #[rstest]
    #[case::future(-90, "now")]
    #[case::just_now(3, "now")]
    #[case::seconds(40, "40s")]
    #[case::minutes(60, "1m")]
    #[case::hours(3 * HOUR, "3h")]
    #[case::a_day_and_a_half(36 * HOUR, "36h")]
    #[case::days(12 * DAY, "12d")]
    #[case::weeks(20 * WEEK, "20w")]
    #[case::years(3 * YEAR, "3y")]
    fn ages_are_short(#[case] seconds: i64, #[case] expected: &str) {
        let now = Timestamp::from_second(1_800_000_000).unwrap();
        let then = Timestamp::from_second(1_800_000_000 - seconds).unwrap();
        assert_eq!(age(then, now), expected);
    }

    #[test]
    fn what_is_over_says_so() {
        let now = Timestamp::from_second(1_800_000_000).unwrap();
        assert_eq!(until(now, now), "past");
        assert_eq!(until(Timestamp::from_second(1_800_000_000 + 6 * DAY + 5).unwrap(), now), "6d");
    }

    #[rstest]
    #[case(12, "12s")]
    #[case(65, "1:05")]
    #[case(7_389, "2:03:09")]
    fn running_times_count_up(#[case] seconds: u64, #[case] expected: &str) {
        assert_eq!(elapsed(seconds), expected);
    }
}
