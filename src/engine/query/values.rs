//! Parses the values of filters: numbers, sizes, and times, each with a comparison before it.

use jiff::civil::Date;
use jiff::{Span, Timestamp, ToSpan as _, Zoned};

use super::term::{Bound, TimeField};
use crate::api::search::Bounds;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Compared {
    Above,
    From,
    Below,
    UpTo,
    Equal,
}

fn compared(text: &str) -> (Compared, &str) {
    let signs = [
        (">=", Compared::From),
        ("<=", Compared::UpTo),
        (">", Compared::Above),
        ("<", Compared::Below),
    ];
    let found = signs
        .into_iter()
        .find_map(|(sign, compared)| Some((compared, text.strip_prefix(sign)?)));
    let (compared, rest) = found.unwrap_or((Compared::Equal, text));
    (compared, rest.trim())
}

/// Parses a size in bytes: `>1M`, `<=500K`, `412338`.
pub(super) fn size(text: &str) -> Option<Bound<u64>> {
    let (compared, text) = compared(text);
    let value = bytes(text)?;
    let words = in_words(value);
    let description = match compared {
        Compared::Above => format!("larger than {words}"),
        Compared::From => format!("{words} or larger"),
        Compared::Below => format!("smaller than {words}"),
        Compared::UpTo => format!("{words} or smaller"),
        Compared::Equal => format!("of {words}"),
    };
    Some(Bound {
        range: numbers(compared, value)?,
        description,
    })
}

/// Parses a number of pixels, `>1000` or `600`; `of` says what they measure.
pub(super) fn pixels(text: &str, of: &str) -> Option<Bound<u64>> {
    let (compared, text) = compared(text);
    let value = text.parse().ok()?;
    let words = match compared {
        Compared::Above => "more than ",
        Compared::From => "at least ",
        Compared::Below => "less than ",
        Compared::UpTo => "at most ",
        Compared::Equal => "",
    };
    Some(Bound {
        range: numbers(compared, value)?,
        description: format!("{words}{value} pixels {of}"),
    })
}

fn numbers(compared: Compared, value: u64) -> Option<Bounds<u64>> {
    Some(match compared {
        Compared::Above => Bounds {
            from: Some(value.checked_add(1)?),
            to: None,
        },
        Compared::From => Bounds {
            from: Some(value),
            to: None,
        },
        Compared::Below => Bounds {
            from: None,
            to: Some(value.checked_sub(1)?),
        },
        Compared::UpTo => Bounds {
            from: None,
            to: Some(value),
        },
        Compared::Equal => Bounds {
            from: Some(value),
            to: Some(value),
        },
    })
}

const UNITS: [(&str, u64); 4] = [
    ("T", 1_000_000_000_000),
    ("G", 1_000_000_000),
    ("M", 1_000_000),
    ("K", 1_000),
];

fn bytes(text: &str) -> Option<u64> {
    let upper = text.to_ascii_uppercase();
    let figure = upper.strip_suffix('B').unwrap_or(&upper);
    let unit = UNITS
        .iter()
        .find_map(|(sign, unit)| Some((figure.strip_suffix(sign)?, *unit)));
    let (figure, unit) = unit.unwrap_or((figure, 1));
    let (whole, part) = figure.trim().split_once('.').unwrap_or((figure.trim(), ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !is_number(part) {
        return None;
    }
    let tenths = u32::try_from(part.len())
        .ok()
        .and_then(|digits| 10_u64.checked_pow(digits))?;
    let part = if part.is_empty() {
        0
    } else {
        part.parse::<u64>().ok()?.checked_mul(unit)? / tenths
    };
    whole
        .parse::<u64>()
        .ok()?
        .checked_mul(unit)?
        .checked_add(part)
}

/// Describes a size: `1 MB`, `1.5 MB`, `412338 bytes`.
fn in_words(bytes: u64) -> String {
    let unit = UNITS
        .iter()
        .find(|(_, unit)| bytes >= *unit && bytes.is_multiple_of(unit / 10));
    match unit {
        Some((sign, unit)) if bytes.is_multiple_of(*unit) => format!("{} {sign}B", bytes / unit),
        Some((sign, unit)) => format!("{}.{} {sign}B", bytes / unit, bytes % unit * 10 / unit),
        None if bytes == 1 => "1 byte".to_owned(),
        None => format!("{bytes} bytes"),
    }
}

/// Parses a time relative to now, `<7d`, or a day, `>2026-11-01`.
pub(super) fn time(text: &str, of: TimeField, now: &Zoned) -> Option<Bound<Timestamp>> {
    let (compared, text) = compared(text);
    match age(text) {
        Some((span, words)) => since(compared, span, &words, of, now),
        None => day(compared, text.parse().ok()?, of, now),
    }
}

/// Parses a day before or after which something was last changed.
pub(super) fn beside_day(is_after: bool, text: &str, now: &Zoned) -> Option<Bound<Timestamp>> {
    let compared = if is_after {
        Compared::Above
    } else {
        Compared::Below
    };
    day(compared, text.parse().ok()?, TimeField::Updated, now)
}

fn since(
    compared: Compared,
    span: Span,
    words: &str,
    of: TimeField,
    now: &Zoned,
) -> Option<Bound<Timestamp>> {
    let kind = kind(of);
    let is_within = match compared {
        Compared::Below | Compared::UpTo => true,
        Compared::Above | Compared::From => false,
        Compared::Equal => return None,
    };
    let now_at = now.timestamp();
    let (range, description) = match (of, is_within) {
        (TimeField::Expires, true) => {
            let end = now.checked_add(span).ok()?.timestamp();
            (
                Bounds {
                    from: Some(now_at),
                    to: Some(end),
                },
                format!("{kind} within {words}"),
            )
        }
        (TimeField::Expires, false) => {
            let end = now.checked_add(span).ok()?.timestamp();
            (
                Bounds {
                    from: Some(end),
                    to: None,
                },
                format!("{kind} in more than {words}"),
            )
        }
        (_, true) => {
            let start = now.checked_sub(span).ok()?.timestamp();
            (
                Bounds {
                    from: Some(start),
                    to: None,
                },
                format!("{kind} in the last {words}"),
            )
        }
        (_, false) => {
            let start = now.checked_sub(span).ok()?.timestamp();
            (
                Bounds {
                    from: None,
                    to: Some(start),
                },
                format!("{kind} more than {words} ago"),
            )
        }
    };
    Some(Bound { range, description })
}

fn day(compared: Compared, date: Date, of: TimeField, now: &Zoned) -> Option<Bound<Timestamp>> {
    let start = date.to_zoned(now.time_zone().clone()).ok()?;
    let next = start.tomorrow().ok()?.timestamp();
    let start = start.timestamp();
    let before = |time: Timestamp| time.checked_sub(1.millisecond()).ok();
    let (from, to, word) = match compared {
        Compared::Above => (Some(next), None, "after"),
        Compared::From => (Some(start), None, "from"),
        Compared::Below => (None, before(start), "before"),
        Compared::UpTo => (None, before(next), "up to"),
        Compared::Equal => (Some(start), before(next), "on"),
    };
    Some(Bound {
        range: Bounds { from, to },
        description: format!("{} {word} {date}", kind(of)),
    })
}

fn kind(of: TimeField) -> &'static str {
    match of {
        TimeField::Created => "created",
        TimeField::Updated => "changed",
        TimeField::Expires => "expiring",
    }
}

/// Parses an age such as `7d`, and describes it.
fn age(text: &str) -> Option<(Span, String)> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (count, unit) = text.split_at_checked(digits)?;
    let count: i64 = count.parse().ok().filter(|count| *count > 0)?;
    let span = Span::new();
    let (span, unit) = match unit {
        "h" => (span.try_hours(count), "hour"),
        "d" => (span.try_days(count), "day"),
        "w" => (span.try_weeks(count), "week"),
        "m" => (span.try_months(count), "month"),
        "y" => (span.try_years(count), "year"),
        _ => return None,
    };
    let words = if count == 1 {
        format!("1 {unit}")
    } else {
        format!("{count} {unit}s")
    };
    Some((span.ok()?, words))
}
