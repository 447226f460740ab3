//! `filedeck tasks forget`: removes tasks from the journal.

use anyhow::Context as _;
use clap::ArgGroup;

use crate::api::{Error, Kind};
use crate::cli::context::CommandContext;
use crate::cli::exit::Exit;
use crate::engine::BatchId;
use crate::engine::journal::RecordedBatch;

const EXAMPLES: &str = "\
Examples:
  filedeck tasks forget 12 13
  filedeck tasks forget --ended";

/// Remove tasks from the list
///
/// Finished work stays done. A running task cannot be forgotten; one that was cut short cannot be
/// continued afterward.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("which").required(true))]
pub struct Args {
    /// Numbers of tasks, as 'filedeck tasks' lists them
    #[arg(group = "which", value_name = "NO")]
    pub numbers: Vec<i64>,

    /// All tasks that have ended
    #[arg(long, group = "which")]
    pub ended: bool,
}

pub(super) async fn run(args: Args, context: &CommandContext) -> anyhow::Result<Exit> {
    let none = "nothing was forgotten";
    let journal = context.session.journal().await.context(none)?;
    let batches = journal.list_batches().await.context(none)?;
    if args.ended {
        let ended = batches.iter().filter(|batch| batch.ended_at.is_some());
        let ended: Vec<BatchId> = ended.map(|batch| batch.id).collect();
        journal.forget_batches(&ended).await.context(none)?;
        return Ok(Exit::Ok);
    }
    let mut tally = context.tally(args.numbers.len());
    for number in &args.numbers {
        let what = format!("cannot forget task {number}");
        match find(&batches, *number) {
            Ok(batch) if batch.is_live() => {
                tally.failed(&what, &Error::new(Kind::Refused, "it is running"));
            }
            Ok(batch) => {
                journal
                    .forget_batches(&[batch.id])
                    .await
                    .with_context(|| what)?;
                tally.done();
            }
            Err(error) => drop(tally.failed(&what, &error)),
        }
    }
    Ok(tally.finish())
}

pub(super) fn find(batches: &[RecordedBatch], number: i64) -> Result<&RecordedBatch, Error> {
    let found = batches.iter().find(|batch| batch.id.0 == number);
    found.ok_or_else(|| {
        Error::new(
            Kind::NotFound,
            "the journal has no task of this number: it has ended, or was forgotten",
        )
    })
}
