//! Reads the limits of a configured account, without opening it for other work.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::session::Session;
use super::setup::Setup;
use crate::api::{Client, Error, Kind};
use crate::config::AccountSource;
use crate::engine::ProgressSink;
use crate::engine::limits::{LimitHistory, Report, Snapshot};
use crate::engine::ops::limits;
use crate::tui::state::limits::{AccountReading, Reports};

/// Reads reports of an account within its request budget, and stores the reading in its history.
pub async fn read(
    setup: &Setup,
    name: &str,
    reports: &[Report],
    waits: &ProgressSink,
) -> AccountReading {
    let source = AccountSource::Configured(name.to_owned());
    let (mut book, mut warnings) = (Reports::default(), Vec::new());
    match Session::of(setup, source, None, &|_| {}).await {
        Ok(session) => {
            let session = session.reporting(waits);
            read_reports(&session.client, reports, &mut book).await;
            if let Some(snapshot) = book.snapshot(Timestamp::now()) {
                match keep(&session, &snapshot, &mut warnings).await {
                    Ok(past) => drop(book.remember(past)),
                    Err(error) => {
                        warnings.push(format!("this reading is not kept: {}", error.message));
                    }
                }
            }
            session.close().await;
        }
        Err(error) => {
            let error = Error::new(Kind::Refused, format!("{error:#}"));
            if let Some(report) = reports.first() {
                book.fail(report, error);
            }
        }
    }
    AccountReading {
        name: name.to_owned(),
        book,
        read_at: Timestamp::now(),
        warnings,
    }
}

/// Reads the reports in turn, until a failure that would affect all of them.
async fn read_reports(client: &Client, reports: &[Report], book: &mut Reports) {
    for report in reports {
        match limits::read(client, report).await {
            Ok((_, entries)) => book.store_answer(report, entries, Timestamp::now()),
            Err(error) => {
                let meets_all = error.meets_all();
                book.fail(report, error);
                if meets_all {
                    break;
                }
            }
        }
    }
}

async fn keep(
    session: &Session,
    snapshot: &Snapshot,
    warnings: &mut Vec<String>,
) -> Result<BTreeMap<String, LimitHistory>, Error> {
    let journal = session.journal().await?;
    warnings.extend(journal.loss().await?);
    journal.keep_snapshot(snapshot).await
}
