//! `filedeck tasks`: the tasks in the account's journal.

use anyhow::Context as _;
use serde::Serialize;

use crate::api::Error;
use crate::cli::context::CommandContext;
use crate::cli::exit::Exit;
use crate::cli::format::Style;
use crate::cli::output::{Output, OutputError};
use crate::engine::JobKind;
use crate::engine::journal::RecordedBatch;
use jiff::Timestamp;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TaskLine<'a> {
    number: i64,
    kind: JobKind,
    label: &'a str,
    state: &'static str,
    total: usize,
    done: usize,
    failed: usize,
    canceled: usize,
    bytes: u64,
    asked_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    started_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ended_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    /// The command that finishes the task.
    #[serde(skip_serializing_if = "Option::is_none")]
    finish_with: Option<String>,
}

pub(super) async fn run(context: &CommandContext) -> anyhow::Result<Exit> {
    let batches = batches(context).await.context("cannot list the tasks")?;
    let mut output = context.output();
    print(&mut output, context, &batches)?;
    output.flush()?;
    Ok(Exit::Ok)
}

/// Returns the tasks of the account's journal.
pub(super) async fn batches(context: &CommandContext) -> Result<Vec<RecordedBatch>, Error> {
    context.session.journal().await?.list_batches().await
}

pub(super) fn print(
    output: &mut Output,
    context: &CommandContext,
    batches: &[RecordedBatch],
) -> Result<(), OutputError> {
    let finish_with =
        |batch: &RecordedBatch| batch.can_retry().then(|| context.retry_command(batch.id));
    if output.style() == Style::Json {
        return batches
            .iter()
            .try_for_each(|batch| output.json(&as_json(batch, finish_with(batch))));
    }
    let rows = batches.iter().map(|batch| row(batch, finish_with(batch)));
    let header = ["NO", "STATE", "ITEMS", "ASKED", "TASK", "FINISH WITH"];
    output.table(header, rows)
}

fn row(batch: &RecordedBatch, finish_with: Option<String>) -> [String; 6] {
    let why = batch
        .failure
        .as_ref()
        .map(|(what, error)| format!(": {what}: {}", error.message))
        .unwrap_or_default();
    [
        batch.id.0.to_string(),
        state(batch).to_owned(),
        format!("{}/{}", batch.counts.done, batch.counts.total),
        batch.asked_at.strftime("%Y-%m-%d %H:%M").to_string(),
        format!("{} {}{why}", batch.kind.imperative(), batch.label),
        finish_with.unwrap_or_default(),
    ]
}

fn as_json(batch: &RecordedBatch, finish_with: Option<String>) -> TaskLine<'_> {
    let counts = batch.counts;
    TaskLine {
        number: batch.id.0,
        kind: batch.kind,
        label: &batch.label,
        state: state(batch),
        total: counts.total,
        done: counts.done,
        failed: counts.failed,
        canceled: counts.cancelled,
        bytes: batch.bytes.done,
        asked_at: batch.asked_at,
        started_at: batch.started_at,
        ended_at: batch.ended_at,
        error: batch
            .failure
            .as_ref()
            .map(|(_, error)| error.message.as_str()),
        finish_with,
    }
}

pub(super) fn state(batch: &RecordedBatch) -> &'static str {
    match batch.ended_at {
        None if batch.is_owned => "running",
        None => "unfinished",
        Some(_) if batch.counts.failed > 0 => "failed",
        Some(_) if batch.counts.cancelled > 0 => "canceled",
        Some(_) => "done",
    }
}
