//! The limits of one of several accounts: a row among those of the others.

use jiff::Timestamp;

use super::reports::Reports;
use crate::api::Error;
use crate::api::text::visible;
use crate::engine::limits::{LimitEntry, Report};

#[derive(Debug, Clone, PartialEq)]
pub struct AccountReading {
    pub name: String,
    /// The answers and failures of the reports, with the history of the gauges.
    pub book: Reports,
    pub read_at: Timestamp,
    /// Problems with the history of the account, as messages.
    pub warnings: Vec<String>,
}

impl AccountReading {
    /// The most accounts to read at once.
    pub const AT_ONCE: usize = 4;

    /// The entry with the highest percentage, and its report; the first of equals.
    pub fn worst(&self) -> Option<(&Report, &LimitEntry)> {
        let reports = Report::OF_ACCOUNT.iter();
        let entries = reports.flat_map(|report| {
            let entries = self.book.entries(report).iter();
            entries.filter_map(move |entry| Some((report, entry, entry.percentage()?)))
        });
        let worst = entries.reduce(|worst, next| if next.2 > worst.2 { next } else { worst });
        worst.map(|(report, entry, _)| (report, entry))
    }

    /// Returns `true` if at least one report was read.
    pub fn has_read(&self) -> bool {
        let mut reports = Report::OF_ACCOUNT.iter();
        reports.any(|report| self.book.answer(report).entries.is_some())
    }

    /// Returns the reason that some or all limits are not known, safe to show.
    pub fn why_not(&self) -> Option<String> {
        let words = |(what, error): (String, Error)| match visible(&error.message) {
            message if self.has_read() => format!("{what}: {message}"),
            message => message.into_owned(),
        };
        let words: Vec<String> = self.book.problems().into_iter().map(words).collect();
        (!words.is_empty()).then(|| words.join("; "))
    }
}
