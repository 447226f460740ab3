//! Carries out the jobs of a run on the engine's queue, shows bars meanwhile, and reports each
//! result as it comes. Failures are reported last, after the retries.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use backon::{BackoffBuilder as _, ExponentialBuilder};

use super::context::CommandContext;
use super::format::Format;
use super::locate::file_path;
use super::named_job::NamedJob;
use super::output::OutputError;
use super::progress::{Bars, OFTEN, SELDOM};
use super::tally::RunTally;
use super::{standard_input, stderr};
use crate::api::ids::TaskId;
use crate::api::model::File;
use crate::engine::{
    self, AtOnce, Batch, BatchId, EngineSetup, JobKind, Journal, Outcome, QueueMode, Run, RunEvent,
    Settled,
};
use crate::signals::SignalHold;

/// The most jobs at once, because all of them share the service's budget.
const MOST_AT_ONCE: usize = 32;

/// The wait before the second retry; doubled for each later one.
const FIRST_WAIT: Duration = Duration::from_secs(30);
const LONGEST_WAIT: Duration = Duration::from_mins(10);

// Options of commands on several items. A doc comment here would replace the command's own.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub struct BulkOptions {
    /// Number of items to work on at once, up to 32 [default: 3; 1 for rm, 8 for import]
    #[arg(long, value_name = "N", value_parser = at_once)]
    pub jobs: Option<NonZeroUsize>,

    /// Retry what failed up to this many times, after everything else, with growing waits
    #[arg(long, value_name = "TIMES", default_value_t = 0)]
    pub retry_failed: usize,

    /// Report the progress every few seconds where no terminal shows it
    #[arg(short = 'P', long)]
    pub progress: bool,

    /// The batch of an ended run whose remaining items are to be done; `None` for new items.
    #[arg(skip)]
    pub left_of: Option<BatchId>,

    /// Set to end the run once the service has accepted what it does as tasks.
    #[arg(skip)]
    pub leaves_tasks: bool,
}

const USUAL: usize = 3;

impl BulkOptions {
    /// One job at a time, without retries.
    pub const ONE: Self = Self {
        jobs: Some(NonZeroUsize::MIN),
        retry_failed: 0,
        progress: false,
        left_of: None,
        leaves_tasks: false,
    };

    /// Returns the options with this many jobs at once, unless the user gave a number.
    #[must_use]
    pub fn usually(self, jobs: usize) -> Self {
        Self {
            jobs: self.jobs.or(NonZeroUsize::new(jobs)),
            ..self
        }
    }

    fn at_once(self) -> NonZeroUsize {
        self.usually(USUAL).jobs.unwrap_or(NonZeroUsize::MIN)
    }
}

pub fn at_once(text: &str) -> Result<NonZeroUsize, String> {
    let count = text
        .parse()
        .ok()
        .filter(|count: &NonZeroUsize| count.get() <= MOST_AT_ONCE);
    count.ok_or_else(|| format!("give a number from 1 to {MOST_AT_ONCE}"))
}

/// A run that ends in order however its command ends: jobs under way are recorded before the
/// process ends.
struct OrderlyRun(Option<Run>);

impl Drop for OrderlyRun {
    fn drop(&mut self) {
        if let Some(run) = self.0.take() {
            let hold = SignalHold::begin();
            tokio::spawn(async move {
                run.end().await;
                drop(hold);
            });
        }
    }
}

/// A job that is left to the service, which works on it as a task.
#[derive(Debug)]
pub struct LeftTask {
    pub job: NamedJob,
    pub id: TaskId,
}

/// Carries out tasks, and passes the outcome of each finished one to `tell`, with its name;
/// failures are reported at the end. A failure that would affect all of them ends the run early;
/// the tally knows which were not tried. Returns the jobs that are left to the service.
pub async fn carry_out(
    context: &CommandContext,
    journal: Journal,
    bulk: BulkOptions,
    tasks: Vec<NamedJob>,
    tally: &mut RunTally,
    mut tell: impl FnMut(&mut RunTally, &str, Outcome) -> Result<(), OutputError>,
) -> anyhow::Result<Vec<LeftTask>> {
    if tasks.is_empty() && bulk.left_of.is_none() {
        return Ok(Vec::new());
    }
    // Jobs whose tasks are left to the service end together.
    let at_once = match NonZeroUsize::new(tasks.len()) {
        Some(all) if bulk.leaves_tasks => all,
        _ => bulk.at_once(),
    };
    let mut bars = Bars::new(
        tasks.len(),
        tally.format(),
        if bulk.progress { OFTEN } else { SELDOM },
    );
    let begin = async |journal| {
        let setup = EngineSetup {
            client: context.client().clone(),
            journal,
            caller: QueueMode::Script,
            at_once: AtOnce::of(at_once),
            read_only: context.session.is_read_only(),
            leaves_tasks: bulk.leaves_tasks,
            sources: context.sources.accounts(),
            drawer: None,
        };
        match bulk.left_of {
            Some(batch) => engine::finish(setup, batch).await,
            None => engine::run(setup, tasks.iter().map(|task| task.job.clone()).collect()).await,
        }
    };
    // Standard input is gone once this process ends.
    let mut is_lasting = journal.place().is_some()
        && !tasks
            .iter()
            .any(|task| standard_input::is_spooled(&task.job.origin()));
    let started = match begin(journal).await {
        // A journal that opens may still reject a row; only a permanent deletion cannot do without
        // it.
        Err(error)
            if bulk.left_of.is_none()
                && tasks.iter().all(|task| task.job.kind() != JobKind::Purge) =>
        {
            is_lasting = false;
            begin(
                context
                    .session
                    .without_journal(tally.format(), &error)
                    .await?,
            )
            .await?
        }
        run => run.context("nothing was done")?,
    };
    tally.begin(
        tasks,
        bulk.at_once(),
        is_lasting.then(|| context.retry_command(started.batch)),
    );
    let mut orderly = OrderlyRun(Some(started));
    let Some(run) = &mut orderly.0 else {
        return Ok(Vec::new());
    };
    let waits = ExponentialBuilder::default()
        .with_min_delay(FIRST_WAIT)
        .with_max_delay(LONGEST_WAIT)
        .without_max_times();
    let mut waits = std::iter::once(Duration::ZERO)
        .chain(waits.build())
        .take(bulk.retry_failed);
    let followed = loop {
        let followed = follow(
            run,
            &mut bars,
            bulk.leaves_tasks,
            |Settled { job, result, .. }| {
                let task = tally.settle(&job);
                match result {
                    Ok(outcome) => {
                        warn_of(tally.format(), &task.name, &outcome);
                        tell(tally, &task.name, outcome)
                    }
                    Err(error) => {
                        tally.fail_later(task, error);
                        Ok(())
                    }
                }
            },
        );
        let followed = followed.await;
        tally.pause();
        let undone = tally.undone();
        match waits.next() {
            Some(wait) if followed.is_ok() && undone > 0 && !bulk.leaves_tasks => {
                bars.aside(|| stderr::note(tally.format(), &retry_note(undone, wait)));
                tokio::time::sleep(wait).await;
                run.retry()
                    .await
                    .context("what failed was not tried again")?;
                tally.begin_again(bulk.at_once());
            }
            _ => break followed,
        }
    };
    if let Some(run) = orderly.0.take() {
        run.end().await;
    }
    drop(bars);
    let mut left = Vec::new();
    if bulk.leaves_tasks
        && let Ok(Some(batch)) = &followed
    {
        for (job, running) in tally.take_tasks().into_iter().zip(&batch.running) {
            if let Some(remote) = &running.remote {
                tally.done();
                let id = remote.id.clone();
                left.push(LeftTask { job, id });
            }
        }
    }
    tally.tell_failures();
    let batch = match followed {
        // Everything was done nevertheless, and the exit code still has to say how.
        Err(error) if error.is_closed() && tally.is_settled() => None,
        Err(error) if error.is_closed() => bail!("standard output was closed before all was done"),
        followed => followed?,
    };
    tally.end();
    match batch.and_then(|batch| batch.failure.clone().filter(|_| batch.counts.failed == 0)) {
        // The batch itself failed, not one of its jobs.
        Some((_, error)) => Err(error).context("it could not continue"),
        None => Ok(left),
    }
}

/// Warns of what a person has to look at although the job was done.
fn warn_of(format: Format, name: &str, outcome: &Outcome) {
    if let Outcome::Uploaded { file, twins } = outcome {
        let named = |file: &File| format!("{} (id {})", file_path(file), file.id);
        for (kept, twin) in twins.iter().map(|twin| (named(file), named(twin))) {
            stderr::warn(
                format,
                &format!("an answer was lost, and the file was stored twice: {kept} and {twin}"),
            );
        }
    }
    if let Some(why) = outcome.missing() {
        stderr::warn(
            format,
            &format!("not all files that were deleted with {name} are known: {why}"),
        );
    }
}

fn retry_note(undone: usize, wait: Duration) -> String {
    let when = if wait.is_zero() {
        "now".to_owned()
    } else {
        format!("in {} s", wait.as_secs())
    };
    format!("{undone} failed or not tried; trying again {when}")
}

/// Passes on the results of the jobs until all have ended, or wait for tasks that are left to the
/// service, then returns the batch.
async fn follow(
    run: &mut Run,
    bars: &mut Bars,
    leaves_tasks: bool,
    mut tell: impl FnMut(Settled) -> Result<(), OutputError>,
) -> Result<Option<Arc<Batch>>, OutputError> {
    while let Some(news) = run.next().await {
        match news {
            RunEvent::Settled(settled) => {
                bars.aside(|| settled.into_iter().try_for_each(&mut tell))?;
            }
            RunEvent::Standing(batch) if leaves_tasks && is_left(&batch) => {
                return Ok(Some(batch));
            }
            RunEvent::Standing(batch) => bars.show(&batch),
            RunEvent::Ended(batch) => return Ok(Some(batch)),
        }
    }
    Ok(None)
}

/// Returns `true` if nothing but the service works on what is left of a batch.
fn is_left(batch: &Batch) -> bool {
    let mut running = batch.running.iter();
    batch.counts.waiting() == 0 && running.all(|job| job.remote.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_says_what_is_tried_again_and_when() {
        assert_eq!(
            retry_note(2, Duration::ZERO),
            "2 failed or not tried; trying again now"
        );
        assert_eq!(
            retry_note(1, FIRST_WAIT),
            "1 failed or not tried; trying again in 30 s"
        );
    }
}
