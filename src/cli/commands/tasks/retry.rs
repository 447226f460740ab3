//! `filedeck tasks retry`: does again what failed or was canceled.

use anyhow::Context as _;

use super::forget::find;
use crate::api::{Error, Kind};
use crate::cli::context::CommandContext;
use crate::cli::exit::Exit;
use crate::cli::named_job::NamedJob;
use crate::cli::tally::RunTally;
use crate::cli::work::{BulkOptions, carry_out};

const EXAMPLES: &str = "\
Examples:
  filedeck tasks retry 12
  filedeck tasks retry 12 13 --jobs 8";

/// Do again what failed or was canceled of tasks
///
/// It becomes a task of its own, in the place of what is done again. What may have been done already is left out and
/// told: look first, and then give the command again. Prints a line for each item that was done.
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
    let journal = context.session.journal().await.context("nothing was retried")?;
    let batches = journal.list_batches().await.context("nothing was retried")?;
    let mut tally = RunTally::new(context.format, 0);
    let (mut tasks, mut settled) = (Vec::new(), Vec::new());
    for number in &args.numbers {
        let what = format!("cannot retry task {number}");
        let refused = |why: &str| Error::new(Kind::Refused, why);
        match find(&batches, *number) {
            Ok(batch) if batch.is_live => drop(tally.failed(&what, &refused("it is running"))),
            Ok(batch) => {
                let jobs = journal.undone_jobs(batch.id).await.with_context(|| what.clone())?;
                if jobs.is_empty() {
                    tally.failed(&what, &refused("nothing of it failed or was canceled"));
                }
                if jobs.iter().all(|(_, is_sure)| *is_sure) && batch.ended_at.is_some() {
                    settled.push(batch.id);
                }
                for (job, is_sure) in jobs {
                    tally.also(1);
                    if is_sure {
                        tasks.push(NamedJob { name: job.label(), job });
                    } else {
                        let why = "it may have been done, or its address is not kept; look, and give the command again";
                        tally.failed(&format!("cannot retry {}", job.label()), &refused(why));
                    }
                }
            }
            Err(error) => drop(tally.failed(&what, &error)),
        }
    }
    if tasks.iter().any(|task| task.job.kind().is_change()) {
        context.session.check_writable().context("nothing was retried")?;
    }
    let mut output = context.output();
    let told = carry_out(context, journal, args.bulk, tasks, &mut tally, |tally, name, _| {
        tally.done();
        output.item(&serde_json::json!({ "done": name }), || name.to_owned())?;
        output.flush()
    });
    told.await?;
    // What was written down anew need not be there twice.
    let journal = context.session.journal().await.context("the earlier tasks are still listed")?;
    journal.forget_batches(&settled).await.context("the earlier tasks are still listed")?;
    Ok(tally.finish())
}
