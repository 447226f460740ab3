//! The history of the limits: how much was used, and when.

use jiff::Timestamp;

use super::entry::{EntrySubject, LimitEntry};
use super::report::Report;

/// The use of one limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The report, and its entry.
    pub gauge: String,
    pub usage: u64,
    pub limit: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    pub at: Timestamp,
    pub readings: Vec<Reading>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LimitHistory {
    /// The last reading before this one: usage and limit.
    pub before: Option<(u64, u64)>,
    /// The last reading of each of the last thirty days that has one, this one included; oldest
    /// first.
    pub days: Vec<Day>,
}

impl LimitHistory {
    /// Returns the time of the oldest reading of the last thirty days.
    pub fn since(&self) -> Option<Timestamp> {
        self.days.first().map(|day| day.at)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Day {
    pub at: Timestamp,
    pub usage: u64,
}

impl Report {
    /// Returns the name under which an entry's readings are kept.
    pub fn gauge(&self, subject: &EntrySubject) -> String {
        match subject {
            EntrySubject::All => self.name().to_owned(),
            EntrySubject::Custom => format!("{} custom", self.name()),
            EntrySubject::Type(name) => format!("{} {}", self.name(), name.object_type_id),
            EntrySubject::Pair(from, to) => format!(
                "{} {} {}",
                self.name(),
                from.object_type_id,
                to.object_type_id
            ),
            EntrySubject::Record { id, .. } => format!("{} record {id}", self.name()),
        }
    }
}

pub fn readings(report: &Report, entries: &[LimitEntry]) -> Vec<Reading> {
    let reading = |entry: &LimitEntry| {
        let share = entry.share()?;
        Some(Reading {
            gauge: report.gauge(&entry.subject),
            usage: share.usage,
            limit: share.limit,
        })
    };
    entries.iter().filter_map(reading).collect()
}
