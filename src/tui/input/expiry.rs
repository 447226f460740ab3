//! The expiry of files as people type it: a period from now, a date, or `never`. The time is a
//! parameter, never read.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::period;
use crate::api::ServiceTime;
use crate::api::model::time;

/// The effect of an edit on a file's expiry.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Expiry {
    AsItIs,
    Never,
    At(Timestamp),
}

/// The forms of an expiry, for fields of new files.
pub const LIFETIMES: &str =
    "30d, 2w or 1y, an ISO period such as P30D, or a day such as 2026-12-31";

/// Reads the life of a new file, as a period or as its last day, and returns it as the service
/// takes it.
pub fn read_lifetime(text: &str, now: ServiceTime) -> Result<String, String> {
    let text = text.trim();
    let Ok(day) = text.parse::<Date>() else {
        return period::read(text, now, LIFETIMES).map(|(period, _)| period);
    };
    let today = now.to_zoned(&TimeZone::UTC).date();
    let days = today.until(day).map_or(0, |span| span.get_days());
    period::read(&format!("{}d", days.max(0)), now, LIFETIMES).map(|(period, _)| period)
}

const EXPECTED: &str = "30d, 2w or 1y from now, a day such as 2026-12-31, or never";

/// Reads a period from now, a date or time, or `never`; empty keeps the expiry. Errors say what to
/// type instead.
pub fn read(text: &str, now: ServiceTime) -> Result<Expiry, String> {
    match text {
        "" => Ok(Expiry::AsItIs),
        "never" => Ok(Expiry::Never),
        text => {
            let date = time::parse(text)
                .filter(|_| text.contains('-'))
                .or_else(|| {
                    let date: Date = text.parse().ok().filter(|_| text.contains('-'))?;
                    Some(date.to_zoned(TimeZone::UTC).ok()?.timestamp())
                });
            match date {
                Some(date) if date > now.timestamp() => Ok(Expiry::At(date)),
                Some(_) => Err("That time is past.".to_owned()),
                None => period::read(text, now, EXPECTED).map(|(_, date)| Expiry::At(date)),
            }
        }
    }
}
