//! `filedeck limits`: the CRM limits reports, and a check for scripts.

mod all_accounts;
mod measures;

use std::collections::BTreeMap;

use anyhow::Context as _;
use clap::builder::PossibleValuesParser;
use jiff::Timestamp;
use serde_json::{Value, json};

use self::measures::{change, days_until_full, flags, in_words, reached, trend};
use crate::cli::command::RemoteCommand;
use crate::cli::context::CommandContext;
use crate::cli::exit::Exit;
use crate::cli::format::Format;
use crate::cli::output::{Output, OutputError};
use crate::cli::setup::Setup;
use crate::cli::stderr::{note, say};
use crate::engine::limits::{
    EntrySubject, LimitEntry, LimitHistory, Measure, Report, Snapshot, readings,
};
use crate::engine::ops;
use crate::tui::state::limits::{LimitTable, gauge, subject};
use crate::tui::widget::figures;

const EXAMPLES: &str = "\
Examples:
  filedeck limits custom-properties --trend
  filedeck limits --all-accounts --fail-at 90";

/// Show how much of the CRM limits of the account is used
///
/// Prints the seven reports on the account, or those that you name. --associations shows the object
/// types with records near or at the association limit with one type, --to some of these records.
///
/// With --trend, each line has the change since the oldest reading on this machine, of up to thirty
/// days ago, with its date, and the time when the limit will be reached, as far as the readings
/// tell. Each run with --trend keeps a reading, and so does the screen.
///
/// With --all-accounts, each configured account has one row: its fullest limit, with the trend, or
/// the reason why it is not known. Each account's reading is kept.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Reports to print [default: all]
    #[arg(value_name = "REPORT", value_parser = PossibleValuesParser::new(Report::OF_ACCOUNT.map(|report| report.name())))]
    pub reports: Vec<String>,

    /// Print a row for each configured account, with its fullest limit
    #[arg(long, conflicts_with = "associations")]
    pub all_accounts: bool,

    /// Show the object types with records near or at the association limit with this type, as in
    /// 0-1
    #[arg(long, value_name = "TYPE", conflicts_with = "reports")]
    pub associations: Option<String>,

    /// Show the records that are near or at the limit of associations with this type
    #[arg(long, value_name = "TYPE", requires = "associations")]
    pub to: Option<String>,

    /// Show the change of each limit, since when, and when it will be reached
    #[arg(long, conflicts_with = "associations")]
    pub trend: bool,

    /// Print one table as CSV, as the screen exports it, with the time of the reading
    #[arg(long)]
    pub csv: bool,

    /// Exit with 8 if the usage of any limit has reached this percentage. Reports of associations
    /// know only 80 (near) and 100
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(1..=100))]
    pub fail_at: Option<u8>,
}

struct ReadReport {
    report: Report,
    /// The report as the service sent it.
    sent: Value,
    entries: Vec<LimitEntry>,
}

type Past = BTreeMap<String, LimitHistory>;

impl RemoteCommand for Args {
    fn check(&self, format: Format) -> Result<(), String> {
        if self.csv && format.json {
            Err("--csv and --json are two forms; choose one".to_owned())
        } else {
            Ok(())
        }
    }

    /// Prints the reports, then the limits that have reached the percentage.
    async fn run(self, context: &CommandContext) -> anyhow::Result<Exit> {
        let asked = self.asked();
        let (mut tally, mut read, now) = (context.tally(asked.len()), Vec::new(), Timestamp::now());
        for report in asked {
            match ops::limits::read(context.client(), &report).await {
                Ok((sent, entries)) => {
                    tally.done();
                    read.push(ReadReport {
                        report,
                        sent,
                        entries,
                    });
                }
                Err(error) => {
                    if tally.failed(&format!("cannot read {}", in_words(&report)), &error) {
                        break;
                    }
                }
            }
        }
        let past = if self.trend {
            past(context, &read, now).await?
        } else {
            Past::new()
        };
        let mut output = context.output();
        if self.csv {
            let reports = read
                .iter()
                .map(|it| (&it.report, it.entries.iter().collect(), Some(now)));
            let past =
                |report: &Report, entry: &LimitEntry| past.get(&report.gauge(&entry.subject));
            output.bytes(LimitTable::of_reports(reports, past, now).csv().as_bytes())?;
        } else if context.format.json {
            for found in &mut read {
                self.print_json(&mut output, found, &past, now)?;
            }
        } else {
            for found in read.iter().filter(|found| found.entries.is_empty()) {
                note(context.format, &nothing(&found.report));
            }
            let rows = read.iter().flat_map(|found| self.rows(found, &past, now));
            let header = ["LIMIT", "ID", "USED", "USAGE", "TREND"];
            output.table(header, rows)?;
        }
        output.flush()?;
        let warnings = self.fail_at.map(|fail_at| {
            read.iter()
                .flat_map(|it| reached(fail_at, &it.report, &it.entries))
                .collect::<Vec<_>>()
        });
        for words in warnings.iter().flatten() {
            say(&format!("filedeck: {words}"));
        }
        let exit = tally.finish();
        Ok(
            if exit == Exit::Ok && warnings.is_some_and(|it| !it.is_empty()) {
                Exit::LimitReached
            } else {
                exit
            },
        )
    }
}

impl Args {
    /// Prints a row for each configured account, then the limits that have reached the percentage.
    pub async fn run_on_all(self, setup: &Setup, format: Format) -> anyhow::Result<Exit> {
        let reports = self.asked();
        let read = all_accounts::read(setup, &reports, format).await?;
        all_accounts::print(&read, self.csv, format)?;
        Ok(all_accounts::check(&read, &reports, self.fail_at, format))
    }

    fn asked(&self) -> Vec<Report> {
        match (&self.associations, &self.to) {
            (Some(from), Some(to)) => vec![Report::Pair {
                from: from.clone(),
                to: to.clone(),
            }],
            (Some(from), None) => vec![Report::Targets { from: from.clone() }],
            (None, _) => {
                let is_asked = |report: &Report| {
                    self.reports.is_empty() || self.reports.iter().any(|it| it == report.name())
                };
                Report::OF_ACCOUNT.into_iter().filter(is_asked).collect()
            }
        }
    }

    /// Prints the report as the service returned it, with its name and the trend of each limit.
    fn print_json(
        &self,
        output: &mut Output,
        found: &mut ReadReport,
        past: &Past,
        now: Timestamp,
    ) -> Result<(), OutputError> {
        let trend = |entry: &LimitEntry| {
            let (share, history) = (
                entry.share()?,
                past.get(&found.report.gauge(&entry.subject)),
            );
            Some(json!({
                "of": subject(&entry.subject),
                "id": entry.id(),
                "change": change(share, history),
                "since": history.and_then(LimitHistory::since),
                "daysUntilFull": days_until_full(share, history, now),
            }))
        };
        let trends = self.trend.then(|| {
            found
                .entries
                .iter()
                .filter_map(trend)
                .collect::<Vec<Value>>()
        });
        if let Value::Object(fields) = &mut found.sent {
            fields.insert("report".to_owned(), found.report.name().into());
            fields.extend(trends.map(|trends| ("trend".to_owned(), trends.into())));
        }
        output.json(&found.sent)
    }

    /// Returns a row for each limit, the fullest object types first.
    fn rows(&self, found: &ReadReport, past: &Past, now: Timestamp) -> Vec<[String; 5]> {
        let mut entries: Vec<&LimitEntry> = found.entries.iter().collect();
        if found.report == Report::CustomProperties {
            let percentage =
                |entry: &LimitEntry| entry.share().map_or(0.0, |share| share.percentage);
            entries.sort_by(|a, b| {
                let is_sum = |entry: &LimitEntry| entry.subject == EntrySubject::All;
                is_sum(b)
                    .cmp(&is_sum(a))
                    .then(percentage(b).total_cmp(&percentage(a)))
            });
        }
        let row = |entry: &LimitEntry| {
            let (mut used, mut trending) = (String::new(), String::new());
            let usage = match entry.measure {
                Measure::Share(share) => {
                    let past = past.get(&found.report.gauge(&entry.subject));
                    used = figures::percent(share.percentage);
                    if self.trend {
                        trending = trend(share, past, now);
                    }
                    format!("{} of {}", share.usage, share.limit)
                }
                Measure::Count(count) => count.to_string(),
                Measure::Flags { at, near } => flags(at, near).to_owned(),
                Measure::Totals { limit, at, near } => {
                    format!("{at} records at the limit of {limit}, {near} near it")
                }
            };
            let name = gauge(&found.report, &entry.subject, false);
            [name, entry.id().unwrap_or_default(), used, usage, trending]
        };
        entries.into_iter().map(row).collect()
    }
}

/// Stores a reading of the reports, and returns the history.
async fn past(
    context: &CommandContext,
    read: &[ReadReport],
    at: Timestamp,
) -> anyhow::Result<Past> {
    let journal = context.journal_or_none().await?;
    let readings = read
        .iter()
        .flat_map(|found| readings(&found.report, &found.entries))
        .collect();
    journal
        .keep_snapshot(&Snapshot { at, readings })
        .await
        .context("cannot read how the limits went")
}

/// Returns the message for a report without lines.
fn nothing(report: &Report) -> String {
    match report {
        Report::Targets { from } => {
            format!("no object type has records near or at the association limit with {from}")
        }
        Report::Sources => "no object type has records near or at an association limit".to_owned(),
        report => format!("{} is empty", in_words(report)),
    }
}
