//! `filedeck limits --all-accounts`: a row for each configured account, with its fullest limit.

use futures::StreamExt as _;
use futures::stream;
use serde_json::{Value, json};

use super::measures::{change, days_until_full, flags, in_words, reached, trend};
use crate::cli::account_reading;
use crate::cli::exit::Exit;
use crate::cli::format::Format;
use crate::cli::output::{Output, OutputError};
use crate::cli::setup::Setup;
use crate::cli::stderr::{self, InvalidUsage};
use crate::cli::tally::RunTally;
use crate::cli::waits::waits;
use crate::config::accounts;
use crate::engine::limits::{Measure, Report, Share};
use crate::tui::state::limits::{AccountReading, LimitTable, gauge, subject};
use crate::tui::widget::figures;

/// Reads the reports of each account, in the order of their names.
pub(super) async fn read(
    setup: &Setup,
    reports: &[Report],
    format: Format,
) -> anyhow::Result<Vec<AccountReading>> {
    let names = accounts::configured_names(&setup.config)?;
    if names.is_empty() {
        let what = "no account is configured; add one with 'filedeck account add'";
        return Err(InvalidUsage(what.to_owned()).into());
    }
    let waits = waits(format);
    let reading = names
        .into_iter()
        .map(|name| account_reading::read(setup, name, reports, &waits));
    Ok(stream::iter(reading)
        .buffered(AccountReading::AT_ONCE)
        .collect()
        .await)
}

pub(super) fn print(
    read: &[AccountReading],
    is_csv: bool,
    format: Format,
) -> Result<(), OutputError> {
    let mut output = Output::new(format);
    if is_csv {
        output.bytes(LimitTable::of_accounts(read).csv().as_bytes())?;
    } else if format.json {
        read.iter()
            .try_for_each(|account| output.json(&json(account)))?;
    } else {
        let header = ["ACCOUNT", "LIMIT", "USED", "LEFT", "TREND", "READ"];
        output.table(header, read.iter().map(row))?;
    }
    output.flush()
}

/// Prints the limits that have reached the percentage, and what could not be read.
pub(super) fn check(
    read: &[AccountReading],
    reports: &[Report],
    fail_at: Option<u8>,
    format: Format,
) -> Exit {
    let mut tally = RunTally::new(format, read.len());
    let mut is_reached = false;
    for account in read {
        let name = &account.name;
        for warning in &account.warnings {
            stderr::warn(format, &format!("account '{name}': {warning}"));
        }
        for report in reports {
            let answer = account.book.answer(report);
            match &answer.problem {
                Some(error) if account.has_read() => {
                    let what = format!("cannot read {} of account '{name}'", in_words(report));
                    stderr::report(format, &what, error);
                    tally.unread(1);
                }
                Some(error) => {
                    tally.failed(
                        &format!("cannot read the limits of account '{name}'"),
                        error,
                    );
                }
                None => {}
            }
            let entries = answer.entries.iter();
            let reached = entries
                .zip(fail_at)
                .flat_map(|(entries, fail_at)| reached(fail_at, report, entries));
            for words in reached {
                is_reached = true;
                stderr::say(&format!("filedeck: account '{name}': {words}"));
            }
        }
        if account.has_read() {
            tally.done();
        }
    }
    match tally.finish() {
        _ if is_reached => Exit::LimitReached,
        exit => exit,
    }
}

fn row(account: &AccountReading) -> [String; 6] {
    let mut row: [String; 6] = std::array::from_fn(|_| String::new());
    let [name, limit, used, left, trending, read] = &mut row;
    name.clone_from(&account.name);
    if let Some((report, entry)) = account.worst() {
        *limit = gauge(report, &entry.subject, false);
        match entry.measure {
            Measure::Share(share) => {
                let past = account.book.past(report, entry);
                *used = figures::percent(share.percentage);
                *left = share.left().to_string();
                *trending = trend(share, past, account.read_at);
            }
            Measure::Flags { at, near } => flags(at, near).clone_into(used),
            Measure::Count(_) | Measure::Totals { .. } => {}
        }
    }
    let time = account.read_at.strftime("%Y-%m-%d %H:%M");
    *read = match account.why_not() {
        None => time.to_string(),
        Some(why) if account.has_read() => format!("{time}, but not {why}"),
        Some(why) => why,
    };
    row
}

fn json(account: &AccountReading) -> Value {
    let worst = account.worst();
    let share = worst.and_then(|(_, entry)| entry.share());
    let past = worst.and_then(|(report, entry)| account.book.past(report, entry));
    let now = account.read_at;
    json!({
        "account": account.name,
        "report": worst.map(|(report, _)| report.name()),
        "of": worst.map(|(_, entry)| subject(&entry.subject)),
        "id": worst.and_then(|(_, entry)| entry.id()),
        "usage": share.map(|share| share.usage),
        "limit": share.map(|share| share.limit),
        "percentage": worst.and_then(|(_, entry)| entry.percentage()),
        "left": share.map(Share::left),
        "change": share.and_then(|share| change(share, past)),
        "daysUntilFull": share.and_then(|share| days_until_full(share, past, now)),
        "readAt": account.has_read().then_some(now),
        "whyNot": account.why_not(),
    })
}
