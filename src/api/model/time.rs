//! Times on the wire: ISO 8601 in UTC with milliseconds, except `File.expiresAt`, which is epoch
//! milliseconds (`contract.md#conventions`). Either form can be read; an unreadable time counts as
//! absent.

use std::borrow::Cow;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::fmt::temporal::DateTimePrinter;
use jiff::tz::TimeZone;
use serde::{Deserializer, Serializer};

use crate::api::lenient::{Plain, known};

const WITH_MILLISECONDS: DateTimePrinter = DateTimePrinter::new().precision(Some(3));

/// Formats a time as `2026-11-21T08:30:00.000Z`.
pub fn to_iso(time: Timestamp) -> String {
    WITH_MILLISECONDS.timestamp_to_string(&time)
}

/// Appends a time to `text` in the format of `to_iso`.
pub fn write_iso(time: Timestamp, text: &mut Vec<u8>) {
    // Writing to memory cannot fail.
    let _ = WITH_MILLISECONDS.print_timestamp(&time, text);
}

/// Parses an ISO 8601 time or date, in UTC if it has no offset, or epoch milliseconds as text.
pub fn parse(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    match text.parse::<i64>() {
        Ok(millis) => Timestamp::from_millisecond(millis).ok(),
        Err(_) => text.parse().ok().or_else(|| {
            TimeZone::UTC
                .to_timestamp(text.parse::<DateTime>().ok()?)
                .ok()
        }),
    }
}

impl Plain for Timestamp {
    fn of_text(text: Cow<'_, str>) -> Option<Self> {
        parse(&text)
    }

    fn of_number(number: i128) -> Option<Self> {
        Self::from_millisecond(number.try_into().ok()?).ok()
    }
}

/// `#[serde(with = "time::iso")]` for an optional time written as ISO 8601.
pub mod iso {
    use super::{Deserializer, Serializer, Timestamp};

    /// Serializes the time.
    ///
    /// # Errors
    ///
    /// If the serializer fails.
    pub fn serialize<S: Serializer>(
        time: &Option<Timestamp>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match time {
            Some(time) => serializer.serialize_str(&super::to_iso(*time)),
            None => serializer.serialize_none(),
        }
    }

    /// Deserializes the time.
    ///
    /// # Errors
    ///
    /// If the deserializer fails.
    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Timestamp>, D::Error> {
        super::known(deserializer)
    }
}

/// `#[serde(with = "time::millis")]` for an optional time written as epoch milliseconds.
pub mod millis {
    use super::{Deserializer, Serializer, Timestamp};

    /// Serializes the time.
    ///
    /// # Errors
    ///
    /// If the serializer fails.
    pub fn serialize<S: Serializer>(
        time: &Option<Timestamp>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match time {
            Some(time) => serializer.serialize_i64(time.as_millisecond()),
            None => serializer.serialize_none(),
        }
    }

    /// Deserializes the time.
    ///
    /// # Errors
    ///
    /// If the deserializer fails.
    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Timestamp>, D::Error> {
        super::known(deserializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_with_milliseconds_and_read_in_both_forms() {
        let time = Timestamp::from_millisecond(1_795_250_000_000).unwrap();
        assert_eq!(to_iso(time), "2026-11-21T08:33:20.000Z");
        assert_eq!(parse("2026-11-21T08:33:20+00:00"), Some(time));
        assert_eq!(parse("2026-11-21T08:33:20"), Some(time));
        assert_eq!(
            parse("2026-11-21"),
            Timestamp::from_millisecond(1_795_219_200_000).ok()
        );
        assert_eq!(parse("1795250000000"), Some(time));
        assert_eq!(parse("yesterday"), None);
    }
}
