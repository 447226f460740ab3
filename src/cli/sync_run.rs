//! Carries out a sync: its steps in order, deletions last, each printed when it is done.

use std::collections::HashMap;

use super::context::CommandContext;
use super::named_job::NamedJob;
use super::stderr;
use super::sync_plan::{SyncPlan, print};
use super::tally::RunTally;
use super::work::{BulkOptions, carry_out};
use crate::api::{Error, Kind};
use crate::engine::sync::{StepWork, SyncAction, SyncStep, SyncTarget};
use crate::engine::{Journal, Outcome};

/// Carries out all steps. `on_outcome` gets the outcome of each finished job, which the tally has
/// already counted.
pub async fn carry_out_plan(
    context: &CommandContext,
    journal: Journal,
    plan: SyncPlan,
    bulk: BulkOptions,
    tally: &mut RunTally,
    mut on_outcome: impl FnMut(&SyncStep, Outcome),
) -> anyhow::Result<()> {
    let SyncPlan { steps, target, .. } = plan;
    if let SyncTarget::Local(folder) = &target {
        let made = std::fs::create_dir_all(folder);
        made.map_err(|error| Error::local(&format!("Cannot create {}", folder.display()), &error))?;
    }
    let (deletions, mut others): (Vec<SyncStep>, Vec<SyncStep>) = steps
        .into_iter()
        .partition(|step| step.action == SyncAction::Delete);
    others.retain(|step| match &step.does {
        StepWork::Refused(why) => {
            tally.failed(
                &format!("cannot compare {}", step.path),
                &Error::new(Kind::Conflict, why.clone()),
            );
            false
        }
        StepWork::Job(_) => true,
    });
    carry_out_jobs(
        context,
        journal.clone(),
        bulk,
        others,
        tally,
        &mut on_outcome,
    )
    .await?;
    if deletions.is_empty() {
        return Ok(());
    }
    if tally.has_failed() {
        stderr::warn(
            context.format,
            "nothing was deleted, because not all of the rest went well",
        );
        return Ok(());
    }
    carry_out_jobs(context, journal, bulk, deletions, tally, &mut on_outcome).await
}

/// Carries out the steps that are jobs, several at once.
pub async fn carry_out_jobs(
    context: &CommandContext,
    journal: Journal,
    bulk: BulkOptions,
    steps: Vec<SyncStep>,
    tally: &mut RunTally,
    on_outcome: &mut impl FnMut(&SyncStep, Outcome),
) -> anyhow::Result<()> {
    let task = |step: &SyncStep| match &step.does {
        StepWork::Job(job) => Some(NamedJob {
            name: step.path.clone(),
            job: (**job).clone(),
        }),
        StepWork::Refused(_) => None,
    };
    let tasks = steps.iter().filter_map(task).collect();
    let by_path: HashMap<&str, &SyncStep> = steps
        .iter()
        .map(|step| (step.path.as_str(), step))
        .collect();
    let mut output = context.output();
    let carried_out = carry_out(
        context,
        journal,
        bulk,
        tasks,
        tally,
        |tally, path, outcome| {
            let Some(step) = by_path.get(path) else {
                return Ok(());
            };
            tally.done();
            on_outcome(step, outcome);
            print(&mut output, step)?;
            output.flush()
        },
    );
    carried_out.await
}
