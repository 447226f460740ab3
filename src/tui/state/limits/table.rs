//! The limits as a table to export: tab-separated for the clipboard, comma-separated for a file.

use jiff::Timestamp;

use super::account_reading::AccountReading;
use super::forecast::{Forecast, forecast};
use super::line::{LimitLine, LineValue, flags};
use super::name::{subject, title};
use super::reports::Reports;
use crate::api::text::visible;
use crate::engine::limits::{LimitEntry, LimitHistory, Measure, Report, Share};
use crate::tui::widget::csv;

/// Rows of cells, the headings first. Every cell is one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LimitTable(Vec<Vec<String>>);

const HEADINGS: [&str; 9] = [
    "report",
    "of",
    "objectTypeId",
    "usage",
    "limit",
    "percentage",
    "left",
    "full in days",
    "records",
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
    let mut row = vec![title(report).to_owned(), subject(&entry.subject), id];
    match entry.measure {
        Measure::Share(share) => {
            row.extend(figures(share));
            row.push(days_left(forecast(share, past, now)));
        }
        Measure::Count(count) => row.push(count.to_string()),
        Measure::Flags { .. } | Measure::Totals { .. } => {
            row.resize(HEADINGS.len() - 1, String::new());
            row.push(
                flags(entry)
                    .iter()
                    .map(|flag| flag.word())
                    .collect::<Vec<_>>()
                    .join(", "),
            );
        }
    }
    row.resize(HEADINGS.len(), String::new());
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
            (report, entries)
        });
        Self::of_reports(reports, |report, entry| book.past(report, entry), now)
    }

    /// The gauges and flags of some reports; `past` gives the history of an entry.
    pub fn of_reports<'a, 'b>(
        reports: impl Iterator<Item = (&'a Report, Vec<&'a LimitEntry>)>,
        past: impl Fn(&Report, &LimitEntry) -> Option<&'b LimitHistory>,
        now: Timestamp,
    ) -> Self {
        let mut rows = vec![HEADINGS.map(str::to_owned).to_vec()];
        for (report, entries) in reports {
            for entry in entries {
                rows.push(row(report, entry, past(report, entry), now));
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
            let time = account.has_read().then(|| account.read_at.to_string());
            cells.push(time.unwrap_or_default());
            cells.push(account.why_not().unwrap_or_default());
            rows.push(cells);
        }
        Self(rows)
    }

    pub fn of_lines(lines: &[LimitLine]) -> Self {
        const HEADINGS: [&str; 7] = [
            "of",
            "id",
            "usage",
            "limit",
            "percentage",
            "left",
            "records",
        ];
        let mut rows = vec![HEADINGS.map(str::to_owned).to_vec()];
        for line in lines {
            let id = line
                .id
                .as_deref()
                .map(visible)
                .unwrap_or_default()
                .into_owned();
            let mut row = vec![line.called(false).into_owned(), id];
            match &line.what {
                LineValue::Share(share) => row.extend(figures(*share)),
                LineValue::Count(count) => row.push(count.to_string()),
                LineValue::Flags(flags, _) => {
                    row.resize(HEADINGS.len() - 1, String::new());
                    let texts = flags.iter().map(|(flag, count)| {
                        count.map(|count| format!("{count} ")).unwrap_or_default() + flag.word()
                    });
                    row.push(texts.collect::<Vec<_>>().join(", "));
                }
                LineValue::Name => {}
                LineValue::Heading | LineValue::Words | LineValue::Unread(_) => continue,
            }
            row.resize(HEADINGS.len(), String::new());
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
