//! Sizes, ages and counts in readable form. Times are relative to the caller's `now`: the
//! service's, for file times.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use crate::api::ServiceTime;
use crate::config::Dates;
use crate::engine::folder_size::FolderSize;

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
const WEEK: i64 = 7 * DAY;
const YEAR: i64 = 365 * DAY;

/// Formats bytes in at most six cells, in powers of 1000 like file managers: `512 B`, `9.8 KB`,
/// `403 KB`.
pub fn size(bytes: u64) -> String {
    let short = bytesize::ByteSize(bytes).display().si();
    let unit = 1000_u64.saturating_pow(bytes.max(1).ilog(1000));
    let text = if bytes / unit >= 10 || unit == 1 {
        format!("{short:.0}")
    } else {
        format!("{short:.1}")
    };
    text.replace("kB", "KB")
}

/// Formats progress in bytes: `24 of 38 MB`.
pub fn size_of(done: u64, total: u64) -> String {
    let (done, total) = (size(done), size(total));
    match (done.split_once(' '), total.split_once(' ')) {
        (Some((figure, unit)), Some((_, of))) if unit == of => format!("{figure} of {total}"),
        _ => format!("{done} of {total}"),
    }
}

/// Groups a count by thousands: `412,338`.
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

/// Formats a count for narrow places, rounded down: `912`, `49.7K`, `497K`, `15M`.
pub fn short(count: u64) -> String {
    const UNITS: [(u64, &str); 4] = [
        (1_000_000_000_000, "T"),
        (1_000_000_000, "B"),
        (1_000_000, "M"),
        (1_000, "K"),
    ];
    let Some((unit, letter)) = UNITS.into_iter().find(|(unit, _)| count >= *unit) else {
        return count.to_string();
    };
    match (grouped(count / unit), count % unit * 10 / unit) {
        (whole, tenth) if tenth > 0 && count / unit < 100 => format!("{whole}.{tenth}{letter}"),
        (whole, _) => format!("{whole}{letter}"),
    }
}

/// Like `grouped`, for a `usize`.
pub fn number(count: usize) -> String {
    grouped(u64::try_from(count).unwrap_or(u64::MAX))
}

/// The content of folders: `168 files, 12 MB`, with `or more` if not all of it was counted.
pub fn folder_size(folder_size: FolderSize) -> String {
    let FolderSize {
        files,
        bytes,
        is_all,
    } = folder_size;
    match (files, is_all) {
        (0, true) => "no files".to_owned(),
        (0, false) => "too much to count".to_owned(),
        (_, true) => format!("{}, {}", count(files, "file"), size(bytes)),
        (_, false) => format!("{} or more, {}", count(files, "file"), size(bytes)),
    }
}

/// Formats a percentage, rounded down: 100 only once it is reached, and 0 only if there is nothing.
/// Adds a decimal if rounding would hide something: `0.5%`, `<0.1%`, `99.9%`.
pub fn percent(value: f64) -> String {
    let tenths = (value * 10.0).floor() / 10.0;
    match value {
        value if !value.is_finite() || value <= 0.0 => "0%".to_owned(),
        ..0.1 => "<0.1%".to_owned(),
        ..1.0 => format!("{tenths:.1}%"),
        99.0..100.0 if tenths > 99.0 => format!("{tenths:.1}%"),
        value => format!("{:.0}%", value.floor()),
    }
}

/// Formats an age in at most four cells: `now`, `40s`, `3h`, `12d`, `8w`, `2y`. A future time
/// counts as now.
pub fn age(then: Timestamp, now: Timestamp) -> String {
    match now.as_second().saturating_sub(then.as_second()) {
        ..=4 => "now".to_owned(),
        seconds => span(seconds),
    }
}

/// Formats an age in words: `3h ago`, `just now`.
pub fn ago(then: Timestamp, now: Timestamp) -> String {
    match age(then, now).as_str() {
        "now" => "just now".to_owned(),
        age => format!("{age} ago"),
    }
}

/// Formats the time left, rounded: `6d`, `40m`; `past` once it is over. An expiry in 30 days is
/// `30d` also a minute after it was set.
pub fn until(then: Timestamp, now: ServiceTime) -> String {
    match then.as_second().saturating_sub(now.timestamp().as_second()) {
        ..=0 => "past".to_owned(),
        seconds => {
            let unit = unit(seconds);
            span(seconds.saturating_add(unit / 2) / unit * unit)
        }
    }
}

/// Formats a time for a column: the age or the date.
pub fn then(then: Timestamp, now: ServiceTime, dates: Dates, zone: &TimeZone) -> String {
    match dates {
        Dates::Relative => age(then, now.timestamp()),
        Dates::Absolute => date(then, zone),
    }
}

/// Formats a future time: the time left or the date.
pub fn to_come(then: Timestamp, now: ServiceTime, dates: Dates, zone: &TimeZone) -> String {
    match dates {
        Dates::Absolute if then > now.timestamp() => date(then, zone),
        _ => until(then, now),
    }
}

fn span(seconds: i64) -> String {
    let unit = unit(seconds);
    let letter = match unit {
        1 => 's',
        MINUTE => 'm',
        HOUR => 'h',
        DAY => 'd',
        WEEK => 'w',
        _ => 'y',
    };
    format!("{}{letter}", seconds / unit)
}

/// The unit of a span, in seconds.
fn unit(seconds: i64) -> i64 {
    match seconds {
        s if s < MINUTE => 1,
        s if s < HOUR => MINUTE,
        s if s < 2 * DAY => HOUR,
        s if s < 10 * WEEK => DAY,
        s if s < 2 * YEAR => WEEK,
        _ => YEAR,
    }
}

/// Formats a running time: `12 s`, from a minute on `1:05`, from an hour on `2:03:09`.
pub fn elapsed(seconds: u64) -> String {
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, s) => format!("{s} s"),
        (0, m, s) => format!("{m}:{s:02}"),
        (h, m, s) => format!("{h}:{m:02}:{s:02}"),
    }
}

/// Formats a duration: with tenths of a second below ten seconds, and never as zero.
pub fn took(time: SignedDuration) -> String {
    match time.as_millis() {
        ..0 => String::new(),
        0..100 => "<0.1 s".to_owned(),
        millis @ 100..10_000 => format!("{}.{} s", millis / 1_000, millis % 1_000 / 100),
        millis => elapsed(u64::try_from(millis / 1_000).unwrap_or(0)),
    }
}

/// Formats the date: `2026-08-01`.
pub fn date(time: Timestamp, zone: &TimeZone) -> String {
    time.to_zoned(zone.clone()).strftime("%Y-%m-%d").to_string()
}

/// Formats the date and minute: `2026-08-01 09:30`.
pub fn date_time(time: Timestamp, zone: &TimeZone) -> String {
    time.to_zoned(zone.clone())
        .strftime("%Y-%m-%d %H:%M")
        .to_string()
}

/// Formats the date, the time with seconds, and the zone: `2026-08-01 09:30:12 CEST`.
pub fn full_time(time: Timestamp, zone: &TimeZone) -> String {
    time.to_zoned(zone.clone())
        .strftime("%Y-%m-%d %H:%M:%S %Z")
        .to_string()
}

/// Formats the time of day: `09:30`.
pub fn minute(time: Timestamp, zone: &TimeZone) -> String {
    time.to_zoned(zone.clone()).strftime("%H:%M").to_string()
}

/// Formats the time of day with seconds: `09:30:12`.
pub fn time_of_day(time: Timestamp, zone: &TimeZone) -> String {
    time.to_zoned(zone.clone()).strftime("%H:%M:%S").to_string()
}

/// Formats the date and minute relative to now: `08-04 14:02`, with the year only if it is another
/// one.
pub fn day_and_minute(then: Timestamp, now: Timestamp, zone: &TimeZone) -> String {
    let then_there = then.to_zoned(zone.clone());
    let format = if then_there.year() == now.to_zoned(zone.clone()).year() {
        "%m-%d %H:%M"
    } else {
        "%Y-%m-%d %H:%M"
    };
    then_there.strftime(format).to_string()
}

/// `1 item`, `1,000 items`.
pub fn count(count: usize, noun: &str) -> String {
    if count == 1 {
        format!("1 {noun}")
    } else {
        format!("{} {noun}s", number(count))
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::nothing(0, "0 B")]
    #[case::bytes(999, "999 B")]
    #[case::one_kb(1024, "1.0 KB")]
    #[case::kb(412_338, "412 KB")]
    #[case::ten_kb(10_240, "10 KB")]
    #[case::mb(1_258_291, "1.3 MB")]
    #[case::gb(5_368_709_120, "5.4 GB")]
    #[case::most(u64::MAX, "18 EB")]
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
    #[case::nothing(0, "<0.1 s")]
    #[case::almost_a_tenth(99, "<0.1 s")]
    #[case::tenths(640, "0.6 s")]
    #[case::seconds(15_400, "15 s")]
    fn what_was_done_has_taken_some_time(#[case] millis: i64, #[case] expected: &str) {
        assert_eq!(took(SignedDuration::from_millis(millis)), expected);
    }

    #[rstest]
    #[case(912, "912")]
    #[case(1_000, "1K")]
    #[case(48_299, "48.2K")]
    #[case(499_999, "499K")]
    #[case(12_400_000, "12.4M")]
    #[case(15_000_000, "15M")]
    #[case(u64::MAX, "18,446,744T")]
    fn short_counts_never_say_more(#[case] number: u64, #[case] expected: &str) {
        assert_eq!(short(number), expected);
    }

    #[rstest]
    #[case::all(168, 12_400_000, true, "168 files, 12 MB")]
    #[case::one(1, 0, true, "1 file, 0 B")]
    #[case::more(1_200, 31_000_000, false, "1,200 files or more, 31 MB")]
    #[case::nothing(0, 0, true, "no files")]
    #[case::folders_alone(0, 0, false, "too much to count")]
    fn what_was_not_counted_is_not_claimed(
        #[case] files: usize,
        #[case] bytes: u64,
        #[case] is_all: bool,
        #[case] expected: &str,
    ) {
        assert_eq!(
            folder_size(FolderSize {
                files,
                bytes,
                is_all
            }),
            expected
        );
    }

    #[rstest]
    #[case::nothing(0.0, "0%")]
    #[case::hardly_anything(0.001, "<0.1%")]
    #[case::half_a_percent(0.5, "0.5%")]
    #[case::a_percent(1.9, "1%")]
    #[case::below_a_level(74.9, "74%")]
    #[case::ninety_nine(99.0, "99%")]
    #[case::all_but_full(99.363, "99.3%")]
    #[case::not_full(99.999, "99.9%")]
    #[case::full(100.0, "100%")]
    #[case::over(130.4, "130%")]
    #[case::less_than_nothing(-3.0, "0%")]
    #[case::not_a_number(f64::NAN, "0%")]
    #[case::endless(f64::INFINITY, "0%")]
    fn percentages_show_a_decimal_where_it_matters(#[case] value: f64, #[case] expected: &str) {
        assert_eq!(percent(value), expected);
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

    #[rstest]
    #[case::over(0, "past")]
    #[case::days(6 * DAY + 5, "6d")]
    #[case::just_set(30 * DAY - 20, "30d")]
    #[case::nearly_an_hour(HOUR - 20, "1h")]
    #[case::nearly_two_days(2 * DAY - MINUTE, "2d")]
    #[case::half_of_it(90, "2m")]
    #[case::seconds(59, "59s")]
    fn the_time_left_is_rounded(#[case] seconds: i64, #[case] expected: &str) {
        let at = |seconds| Timestamp::from_second(1_800_000_000 + seconds).unwrap();
        let now = ServiceTime::new(at(0), SignedDuration::ZERO);
        assert_eq!(until(at(seconds), now), expected);
    }

    #[rstest]
    #[case(12, "12 s")]
    #[case(65, "1:05")]
    #[case(7_389, "2:03:09")]
    fn running_times_count_up(#[case] seconds: u64, #[case] expected: &str) {
        assert_eq!(elapsed(seconds), expected);
    }
}
