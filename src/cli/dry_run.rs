//! `--dry-run`: prints what a command would do instead of doing it.

use serde::Serialize;

use super::context::CommandContext;
use super::named_job::NamedJob;
use super::tally::RunTally;
use crate::api::paths::join;
use crate::api::{Client, Error};
use crate::engine::source::in_account;
use crate::engine::{Job, JobKind};

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
pub async fn print(
    context: &CommandContext,
    tasks: &[NamedJob],
    tally: &mut RunTally,
) -> anyhow::Result<()> {
    let mut output = context.output();
    for NamedJob { job, .. } in tasks {
        tally.done();
        let to = new_path(context.client(), job).await?;
        let line = PlannedLine {
            would: job.kind(),
            from: job.origin(),
            to: to.map(|to| match job.kind() {
                JobKind::Copy => in_account(context.session.account(), &to),
                _ => to,
            }),
        };
        output.item(&line, || {
            let to = line.to.iter().map(|to| format!(" → {to}"));
            let to: String = to.collect();
            let command = job.kind().imperative().to_lowercase();
            format!("would {command} {}{to}", line.from)
        })?;
    }
    output.flush()?;
    Ok(())
}

/// Returns the path that the item of a job would get; `None` if it would not have another one.
async fn new_path(client: &Client, job: &Job) -> Result<Option<String>, Error> {
    if let Job::Change { update, .. } = job
        && let Some(id) = &update.parent_folder_id
    {
        let above = client.folders().get(id).await?.path.unwrap_or_default();
        return Ok(job.destination().map(|name| join(&above, &name)));
    }
    Ok(job.new_path())
}
