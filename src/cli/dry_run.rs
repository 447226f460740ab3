//! `--dry-run`: prints what a command would do instead of doing it.

use serde::Serialize;

use super::context::CommandContext;
use super::named_job::NamedJob;
use super::output::OutputError;
use super::tally::RunTally;
use crate::engine::JobKind;
use crate::engine::source::in_account;

// No doc comment: it would replace each command's own.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct DryRun {
    /// Print what would be done, and do nothing
    #[arg(short = 'n', long)]
    pub dry_run: bool,
}

/// A job that would be carried out, as JSON.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PlannedLine {
    would: JobKind,
    from: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
}

/// Prints a line for each job, and counts it as done.
pub fn print(
    context: &CommandContext,
    tasks: &[NamedJob],
    tally: &mut RunTally,
) -> Result<(), OutputError> {
    let mut output = context.output();
    for NamedJob { job, .. } in tasks {
        tally.done();
        let line = PlannedLine {
            would: job.kind(),
            from: job.origin(),
            to: job.destination().map(|to| match job.kind() {
                JobKind::Copy => in_account(context.session.account(), &to),
                _ => to,
            }),
        };
        output.item(&line, || {
            let to = line
                .to
                .as_ref()
                .map(|to| format!(" → {to}"))
                .unwrap_or_default();
            format!(
                "would {} {}{to}",
                job.kind().imperative().to_lowercase(),
                line.from
            )
        })?;
    }
    output.flush()
}
