//! `filedeck limits`: the CRM limits reports, and a check for scripts.

mod all_accounts;
mod measures;

use std::collections::BTreeMap;

use anyhow::Context as _;
use clap::builder::PossibleValuesParser;
use jiff::Timestamp;
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr as _;

use self::measures::{change, days_until_full, flags, in_words, line, reached, trend};
use crate::api::{Client, Error, Kind};
use crate::cli::command::RemoteCommand;
use crate::cli::context::CommandContext;
use crate::cli::exit::Exit;
use crate::cli::format::Format;
use crate::cli::output::{Output, OutputError};
use crate::cli::setup::Setup;
use crate::cli::stderr::{note, say};
use crate::cli::tally::RunTally;
use crate::engine::limits::{
    self, EntrySubject, LimitEntry, LimitHistory, Measure, Report, Snapshot, readings,
};
use crate::tui::state::limits::{LimitTable, subject, title};

const EXAMPLES: &str = "\
Examples:
  filedeck limits custom-properties --trend
  filedeck limits --all-accounts --fail-at 90";

/// Show how much of the CRM limits of the account is used
///
/// Prints the seven reports on the account, or those that you name. --associations shows the object
/// types with records near or at the association limit with one type, --to some of these records.
///
/// With --trend, each line has the change in thirty days and the time when the limit will be
/// reached, as far as the readings on this machine tell. Each run with --trend keeps a reading, and
/// so does the screen.
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

    /// Show the change of each limit in thirty days, and when it will be reached
    #[arg(long, conflicts_with = "associations")]
    pub trend: bool,

    /// Print one table as CSV, as the screen exports it
    #[arg(long)]
    pub csv: bool,

    /// Exit with 8 if the usage of any limit has reached this percentage. Reports of associations
    /// know only 80 (near) and 100
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(1..=100))]
    pub fail_at: Option<u8>,
}

const LEAST_NAME: usize = 24;

struct ReadReport {
    report: Report,
    raw: Value,
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
        let (mut tally, mut read, now) = (
            RunTally::new(context.format, asked.len()),
            Vec::new(),
            Timestamp::now(),
        );
        for report in asked {
            match self::read(context.client(), &report).await {
                Ok(found) => {
                    tally.done();
                    read.push(found);
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
                .map(|it| (&it.report, it.entries.iter().collect()));
            let past =
                |report: &Report, entry: &LimitEntry| past.get(&report.gauge(&entry.subject));
            output.bytes(LimitTable::of_reports(reports, past, now).csv().as_bytes())?;
        } else {
            let is_titled = read.len() > 1;
            for (number, found) in read.iter_mut().enumerate() {
                if context.format.json {
                    self.print_json(&mut output, found, &past, now)?;
                    continue;
                }
                if is_titled && number > 0 {
                    output.line("")?;
                }
                if is_titled {
                    output.line(title(&found.report))?;
                }
                self.print_lines(&mut output, context.format, found, &past, now)?;
            }
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
            let (days, id) = (days_until_full(share, history, now), entry.id());
            Some(
                json!({ "of": subject(&entry.subject), "id": id, "change": change(share, history), "daysUntilFull": days }),
            )
        };
        let trends = self.trend.then(|| {
            found
                .entries
                .iter()
                .filter_map(trend)
                .collect::<Vec<Value>>()
        });
        if let Value::Object(fields) = &mut found.raw {
            fields.insert("report".to_owned(), found.report.name().into());
            fields.extend(trends.map(|trends| ("trend".to_owned(), trends.into())));
        }
        output.json(&found.raw)
    }

    fn print_lines(
        &self,
        output: &mut Output,
        format: Format,
        found: &ReadReport,
        past: &Past,
        now: Timestamp,
    ) -> Result<(), OutputError> {
        if found.entries.is_empty() {
            note(format, &nothing(&found.report));
        }
        let mut entries: Vec<&LimitEntry> = found.entries.iter().collect();
        if found.report == Report::CustomProperties {
            // The fullest first, below the total.
            let percentage =
                |entry: &LimitEntry| entry.share().map_or(0.0, |share| share.percentage);
            entries.sort_by(|a, b| {
                let is_sum = |entry: &LimitEntry| entry.subject == EntrySubject::All;
                is_sum(b)
                    .cmp(&is_sum(a))
                    .then(percentage(b).total_cmp(&percentage(a)))
            });
        }
        let names: Vec<String> = entries
            .iter()
            .map(|entry| subject(&entry.subject))
            .collect();
        let widest = names
            .iter()
            .map(|name| name.width())
            .max()
            .unwrap_or(0)
            .max(LEAST_NAME);
        for (entry, name) in entries.into_iter().zip(names) {
            let (blank, id) = (
                " ".repeat(widest - name.width()),
                entry.id().unwrap_or_default(),
            );
            let state = match entry.measure {
                Measure::Share(share) => {
                    let past = past.get(&found.report.gauge(&entry.subject));
                    let trend = if self.trend {
                        format!("  {}", trend(share, past, now))
                    } else {
                        String::new()
                    };
                    format!("{}{trend}", line(share))
                }
                Measure::Count(count) => count.to_string(),
                Measure::Flags { at, near } => flags(at, near).to_owned(),
                Measure::Totals { limit, at, near } => {
                    format!("{at} records at the limit of {limit}, {near} near it")
                }
            };
            output.line(&format!("{name}{blank} {id:<8} {state}"))?;
        }
        Ok(())
    }
}

async fn read(client: &Client, report: &Report) -> Result<ReadReport, Error> {
    fn both<T: serde::Serialize>(
        found: T,
        entries: impl FnOnce(T) -> Vec<LimitEntry>,
    ) -> Result<(Value, Vec<LimitEntry>), Error> {
        let raw = serde_json::to_value(&found)
            .map_err(|error| Error::new(Kind::Internal, error.to_string()))?;
        Ok((raw, entries(found)))
    }
    let (raw, entries) = match report {
        Report::CustomProperties => both(
            client.custom_property_limits().await?,
            limits::custom_properties,
        ),
        Report::Records => both(client.record_limits().await?, limits::by_definition),
        Report::Pipelines => both(client.pipeline_limits().await?, limits::by_definition),
        Report::Labels => both(client.association_label_limits().await?, |found| {
            limits::association_labels(found.results)
        }),
        Report::CalculatedProperties => both(
            client.calculated_property_limits().await?,
            limits::calculated_properties,
        ),
        Report::CustomObjectTypes => both(client.custom_object_type_limits().await?, |found| {
            limits::custom_object_types(&found)
        }),
        Report::Sources => both(client.association_source_limits().await?, |found| {
            limits::association_flags(found.results)
        }),
        Report::Targets { from } => both(client.association_limits(from).await?, |found| {
            limits::association_flags(found.results)
        }),
        Report::Pair { from, to } => both(
            client.association_pair_limits(from, to).await?,
            limits::association_pair,
        ),
    }?;
    Ok(ReadReport {
        report: report.clone(),
        raw,
        entries,
    })
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
