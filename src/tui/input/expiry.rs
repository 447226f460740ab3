//! The expiry of files as people type it: a period from now, a date, or `never`. The time is a
//! parameter, never read.

use jiff::Timestamp;

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
                    let date: jiff::civil::Date =
                        text.parse().ok().filter(|_| text.contains('-'))?;
                    Some(date.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp())
                });
            match date {
                Some(date) if date > now.timestamp() => Ok(Expiry::At(date)),
                Some(_) => Err("That time is past.".to_owned()),
                None => period::read(text, now, EXPECTED).map(|(_, date)| Expiry::At(date)),
            }
        }
    }
}
