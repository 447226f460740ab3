//! The limits as a table to export: tab-separated for the clipboard, comma-separated for a file.

use jiff::Timestamp;

use super::account_reading::AccountReading;
use super::forecast::{Forecast, forecast};
use super::line::{LimitLine, LineValue, flags};
use super::name::{full_title, subject};
use super::reports::Reports;
use super::topic::Topic;
use crate::api::text::visible;
use crate::engine::limits::{LimitEntry, LimitHistory, Measure, Report, Share};
use crate::tui::widget::csv;

/// Rows of cells, the headings first. Every cell is one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LimitTable(Vec<Vec<String>>);

const HEADINGS: [&str; 10] = [
    "report",
    "of",
    "id",
    "usage",
    "limit",
    "percentage",
    "left",
    "full in days",
    "records",
    "trend since",
];

fn days_left(forecast: Forecast) -> String {
    match forecast {
        Forecast::Days(days) => days.to_string(),
        Forecast::Full => "0".to_owned(),
        Forecast::Steady | Forecast::Falling | Forecast::Unknown => String::new(),
    }
}

fn figures(share: Share) -> [String; 4] {
    [
        share.usage.to_string(),
        share.limit.to_string(),
        share.percentage.to_string(),
        share.left().to_string(),
    ]
}

fn time(at: Option<Timestamp>) -> String {
    at.map(|at| at.to_string()).unwrap_or_default()
}

fn row(
    report: &Report,
    entry: &LimitEntry,
    past: Option<&LimitHistory>,
    now: Timestamp,
) -> Vec<String> {
    let id = entry
        .id()
        .map(|id| visible(&id).into_owned())
        .unwrap_or_default();
    let mut row = vec![full_title(report), subject(&entry.subject), id];
    match entry.measure {
        Measure::Share(share) => {
            row.extend(figures(share));
            row.push(days_left(forecast(share, past, now)));
        }
        Measure::Count(count) => row.push(count.to_string()),
        Measure::Flags { .. } | Measure::Totals { .. } => {
            row.resize(HEADINGS.len() - 2, String::new());
            row.push(
                flags(entry)
                    .iter()
                    .map(|flag| flag.word())
                    .collect::<Vec<_>>()
                    .join(", "),
            );
        }
    }
    row.resize(HEADINGS.len() - 1, String::new());
    row.push(time(past.and_then(LimitHistory::since)));
    row
}

impl LimitTable {
    /// The gauges and flags of all the account's reports, with the object types in the order of
    /// `types`.
    pub fn of_account(book: &Reports, types: &[&LimitEntry], now: Timestamp) -> Self {
        let reports = Report::OF_ACCOUNT.iter().map(|report| {
            let entries = book.entries(report).iter();
            let entries: Vec<&LimitEntry> = match report {
                Report::CustomProperties => entries
                    .filter(|it| it.object_type().is_none())
                    .chain(types.iter().copied())
                    .collect(),
                _ => entries.collect(),
            };
            (report, entries, book.answer(report).loaded_at)
        });
        Self::of_reports(reports, |report, entry| book.past(report, entry), now)
    }

    /// The gauges and flags of some reports, each with the time of its reading; `past` gives the
    /// history of an entry.
    pub fn of_reports<'a, 'b>(
        reports: impl Iterator<Item = (&'a Report, Vec<&'a LimitEntry>, Option<Timestamp>)>,
        past: impl Fn(&Report, &LimitEntry) -> Option<&'b LimitHistory>,
        now: Timestamp,
    ) -> Self {
        let headings = HEADINGS.into_iter().chain(["read"]).map(str::to_owned);
        let mut rows = vec![headings.collect()];
        for (report, entries, read_at) in reports {
            for entry in entries {
                let mut cells = row(report, entry, past(report, entry), now);
                cells.push(time(read_at));
                rows.push(cells);
            }
        }
        Self(rows)
    }

    /// The worst limit of each account, the time of its reading, and the reason for what is not
    /// known.
    pub fn of_accounts(accounts: &[AccountReading]) -> Self {
        let headings = ["account"].into_iter().chain(HEADINGS);
        let headings = headings.chain(["read", "why not"]).map(str::to_owned);
        let mut rows = vec![headings.collect()];
        for account in accounts {
            let mut cells = vec![visible(&account.name).into_owned()];
            cells.extend(match account.worst() {
                Some((report, entry)) => {
                    let past = account.book.past(report, entry);
                    row(report, entry, past, account.read_at)
                }
                None => vec![String::new(); HEADINGS.len()],
            });
            cells.push(time(account.has_read().then_some(account.read_at)));
            cells.push(account.why_not().unwrap_or_default());
            rows.push(cells);
        }
        Self(rows)
    }

    /// The lines of a report or an object type, each with its name and the time of the reading.
    pub fn of_lines(topic: &Topic, lines: &[LimitLine], read_at: Option<Timestamp>) -> Self {
        const HEADINGS: [&str; 9] = [
            "topic",
            "of",
            "id",
            "usage",
            "limit",
            "percentage",
            "left",
            "records",
            "read",
        ];
        let mut rows = vec![HEADINGS.map(str::to_owned).to_vec()];
        for line in lines {
            let id = line
                .id
                .as_deref()
                .map(visible)
                .unwrap_or_default()
                .into_owned();
            let name = line.called(false).into_owned();
            let mut row = vec![topic.label(), name, id];
            match &line.what {
                LineValue::Share(share) => row.extend(figures(*share)),
                LineValue::Count(count) => row.push(count.to_string()),
                LineValue::Flags(flags, _) => {
                    row.resize(HEADINGS.len() - 2, String::new());
                    let texts = flags.iter().map(|(flag, count)| {
                        count.map(|count| format!("{count} ")).unwrap_or_default() + flag.word()
                    });
                    row.push(texts.collect::<Vec<_>>().join(", "));
                }
                LineValue::Name => {}
                LineValue::Heading | LineValue::Words | LineValue::Unread(_) => continue,
            }
            row.resize(HEADINGS.len() - 1, String::new());
            row.push(time(read_at));
            rows.push(row);
        }
        Self(rows)
    }

    /// The number of rows below the headings.
    pub fn len(&self) -> usize {
        self.0.len().saturating_sub(1)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn tabbed(&self) -> String {
        self.written(|row| row.join("\t"))
    }

    /// Comma-separated as in RFC 4180.
    pub fn csv(&self) -> String {
        self.written(|row| csv::row(row.iter().map(String::as_str)))
    }

    fn written(&self, line: impl Fn(&[String]) -> String) -> String {
        self.0.iter().map(|row| line(row) + "\n").collect()
    }
}
