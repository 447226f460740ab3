//! `filedeck tasks retry`: finishes tasks.

use anyhow::Context as _;

use super::forget::find;
use crate::api::{Error, Kind};
use crate::cli::context::CommandContext;
use crate::cli::exit::Exit;
use crate::cli::named_job::NamedJob;
use crate::cli::work::{BulkOptions, carry_out};

const EXAMPLES: &str = "\
Examples:
  filedeck tasks retry 12
  filedeck tasks retry 12 13 --jobs 8";

/// Do what is left of tasks: what failed, was canceled or interrupted
///
/// Items that may have been done already are looked up first, so that nothing is done twice. Prints
/// a line for each item that was done, and exits as the whole task would have.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Numbers of tasks, as 'filedeck tasks' lists them
    #[arg(required = true, value_name = "NO")]
    pub numbers: Vec<i64>,

    #[command(flatten)]
    pub bulk: BulkOptions,
}

pub(super) async fn run(args: Args, context: &CommandContext) -> anyhow::Result<Exit> {
    let journal = context
        .session
        .checked_journal(context.format)
        .await
        .context("nothing was retried")?;
    let (mut tally, mut output) = (context.tally(0), context.output());
    for number in &args.numbers {
        let what = format!("cannot retry task {number}");
        let batches = journal.list_batches().await.with_context(|| what.clone())?;
        let refused = |why| Err(Error::new(Kind::Refused, why));
        let left = find(&batches, *number).and_then(|batch| match (batch.can_retry(), batch.is_owned) {
            (true, _) => Ok(batch),
            (false, true) => refused("another filedeck has it, which is still running; end that one, or let it finish"),
            (false, false) => refused("nothing of it is left to do"),
        });
        let batch = match left {
            Ok(batch) => batch,
            Err(error) => {
                tally.also(1);
                tally.failed(&what, &error);
                continue;
            }
        };
        let jobs = journal
            .undone_jobs(batch.id)
            .await
            .with_context(|| what.clone())?;
        if jobs.iter().any(|job| job.kind().is_change()) {
            context
                .session
                .check_writable()
                .with_context(|| what.clone())?;
        }
        // Including what was done before, it exits as the whole task would have.
        tally.also(batch.counts.done + jobs.len());
        tally.done_before(batch.counts.done);
        let tasks = jobs
            .into_iter()
            .map(|job| NamedJob {
                name: job.label(),
                job,
            })
            .collect();
        let bulk = BulkOptions {
            left_of: Some(batch.id),
            ..args.bulk
        };
        let carried_out = carry_out(
            context,
            journal.clone(),
            bulk,
            tasks,
            &mut tally,
            |tally, name, _| {
                tally.done();
                output.item(&serde_json::json!({ "done": name }), || name.to_owned())?;
                output.flush()
            },
        );
        carried_out.await?;
        if tally.met_all() {
            break;
        }
    }
    Ok(tally.finish())
}
