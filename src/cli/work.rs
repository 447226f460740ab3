//! The work of a run: its jobs on the engine's queue, bars while they are carried out, and the result of each as it
//! ends.

use std::num::NonZeroUsize;

use anyhow::{Context as _, bail};

use super::context::CommandContext;
use super::named_job::NamedJob;
use super::output::OutputError;
use super::progress::Bars;
use super::tally::RunTally;
use crate::api::Error;
use crate::engine::{
    self, AtOnce, Batch, EngineSetup, Job, JobKind, Journal, Outcome, QueueMode, Run, RunEvent, Settled,
};

/// The most that may be carried out at once: the service's budget is shared by all of them.
const MOST_AT_ONCE: usize = 32;

/// Reads how many are to be carried out at once.
pub fn at_once(text: &str) -> Result<NonZeroUsize, String> {
    let count = text.parse().ok().filter(|count: &NonZeroUsize| count.get() <= MOST_AT_ONCE);
    count.ok_or_else(|| format!("give a number from 1 to {MOST_AT_ONCE}"))
}

/// Carries tasks out, so many of them beside each other, and gives the result of each to `tell`, with its name. What
/// would meet all of them ends it early; the tally knows which were not tried.
pub async fn carry_out(
    context: &CommandContext,
    journal: Journal,
    at_once: NonZeroUsize,
    tasks: Vec<NamedJob>,
    tally: &mut RunTally,
    mut tell: impl FnMut(&mut RunTally, &str, Result<Outcome, Error>) -> Result<(), OutputError>,
) -> anyhow::Result<()> {
    if tasks.is_empty() {
        return Ok(());
    }
    let mut bars = Bars::new(tasks.len(), tally.format());
    let begin = |journal| {
        let (client, at_once, read_only) =
            (context.client().clone(), AtOnce::of(at_once), context.session.is_read_only());
        let jobs: Vec<Job> = tasks.iter().map(|task| task.job.clone()).collect();
        engine::run(EngineSetup { client, journal, caller: QueueMode::Script, at_once, read_only }, jobs)
    };
    let mut run = match begin(journal).await {
        // What can be opened need not take a row; only a permanent deletion cannot go without.
        Err(error) if tasks.iter().all(|task| task.job.kind() != JobKind::Purge) => {
            begin(context.session.without_journal(tally.format(), &error).await?).await?
        }
        run => run.context("nothing was done")?,
    };
    tally.begin(tasks, at_once);
    let followed = follow(&mut run, &mut bars, |Settled { job, result, .. }| {
        let name = tally.settle(&job);
        tell(tally, &name, result)
    });
    let followed = followed.await;
    run.end().await;
    let batch = match followed {
        // All was done all the same, and how it went is still to be given.
        Err(error) if error.is_closed() && tally.is_settled() => None,
        Err(error) if error.is_closed() => bail!("standard output was closed before all was done"),
        followed => followed?,
    };
    tally.end();
    match batch.and_then(|batch| batch.failure.filter(|_| batch.counts.failed == 0)) {
        // By nothing that one of its jobs met.
        Some((_, error)) => Err(error).context("it could not continue"),
        None => Ok(()),
    }
}

/// Gives the results of the jobs as they end, until all have; the batch at its end.
async fn follow(
    run: &mut Run,
    bars: &mut Bars,
    mut tell: impl FnMut(Settled) -> Result<(), OutputError>,
) -> Result<Option<Box<Batch>>, OutputError> {
    while let Some(news) = run.next().await {
        match news {
            RunEvent::Settled(settled) => bars.aside(|| settled.into_iter().try_for_each(&mut tell))?,
            RunEvent::Standing(batch) => bars.show(&batch),
            RunEvent::Ended(batch) => return Ok(Some(batch)),
        }
    }
    Ok(None)
}
