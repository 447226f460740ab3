//! `filedeck sync`: makes one folder like another, in one direction.

use std::collections::HashMap;

use anyhow::Context as _;

use crate::api::model::{Access, UploadOptions};
use crate::api::{Error, Kind};
use crate::cli::command::RemoteCommand;
use crate::cli::context::CommandContext;
use crate::cli::dry_run::DryRun;
use crate::cli::exit::Exit;
use crate::cli::format::Format;
use crate::cli::named_job::NamedJob;
use crate::cli::sync_plan::{SyncFolders, SyncPlan, SyncSide, print};
use crate::cli::tally::RunTally;
use crate::cli::work::{BulkOptions, carry_out};
use crate::cli::{access, stderr};
use crate::engine::Journal;
use crate::engine::ops::local_tree;
use crate::engine::sync::{StepWork, SyncAction, SyncStep, SyncTarget};

const EXAMPLES: &str = "\
Examples:
  filedeck sync ./site /web --access public --delete
  filedeck sync /brand ./brand --exclude '*.psd' --dry-run";

/// Make a folder like another one, in one direction
///
/// Sends or fetches what is missing or differs, by size and MD5. A remote file that differs is replaced in place: its id
/// and links stay. With --delete, what only DEST has is deleted at the end, and only if all before that went well.
///
/// A path that begins with '/' is remote, any other is of this machine; 'local:' begins an absolute one. Links
/// are not followed. A pattern without a slash holds for names at any depth.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    pub folders: SyncFolders,

    /// Delete what only DEST has, at the end
    #[arg(long)]
    pub delete: bool,

    /// Do nothing at all if --delete would delete more files and folders than this
    #[arg(long, value_name = "N", default_value = "100", requires = "delete")]
    pub max_delete: usize,

    /// Who may fetch the addresses of new remote files
    #[arg(long, value_name = "LEVEL", ignore_case = true, default_value = "private", value_parser = access::levels())]
    pub access: Access,

    #[command(flatten)]
    pub bulk: BulkOptions,

    #[command(flatten)]
    pub dry_run: DryRun,
}

impl RemoteCommand for Args {
    fn check(&self, _format: Format) -> Result<(), String> {
        self.folders.check()
    }

    /// Compares, then carries the steps out, deletions last.
    async fn run(self, context: &CommandContext) -> anyhow::Result<Exit> {
        if matches!(self.folders.dest, SyncSide::Remote(_)) && !self.dry_run.dry_run {
            context.session.check_writable().context("nothing was changed")?;
        }
        let plan = self.folders.plan(context, UploadOptions::new(self.access.clone()), self.delete).await?;
        self.check_deletions(&plan).context("nothing was changed")?;
        for (path, why) in &plan.trees.left_out {
            stderr::warn(context.format, &format!("{path}: {why}"));
        }
        stderr::note(context.format, &plan.summary());
        if self.dry_run.dry_run {
            let mut output = context.output();
            for step in &plan.steps {
                print(&mut output, step)?;
            }
            output.flush()?;
            return Ok(Exit::Ok);
        }
        carry_out_steps(context, plan, self.bulk).await
    }
}

impl Args {
    /// A source that is empty by mistake must not empty the other side.
    fn check_deletions(&self, plan: &SyncPlan) -> Result<(), Error> {
        let refused = |message: String| Err(Error::new(Kind::Refused, message));
        let deletions = plan.steps.iter().filter(|step| step.action == SyncAction::Delete);
        let count: usize = deletions.map(|step| step.items).sum();
        if self.delete && count > 0 && plan.source_files == 0 {
            return refused(format!(
                "{} has no files to compare, and --delete would empty the other side",
                self.folders.source
            ));
        }
        if count > self.max_delete {
            let max = self.max_delete;
            return refused(format!("{count} files and folders would be deleted, more than --max-delete {max} allows"));
        }
        Ok(())
    }
}

async fn carry_out_steps(context: &CommandContext, plan: SyncPlan, bulk: BulkOptions) -> anyhow::Result<Exit> {
    let SyncPlan { steps, trees, target, .. } = plan;
    let mut tally = RunTally::new(context.format, steps.len());
    if let SyncTarget::Local(folder) = &target {
        let made = std::fs::create_dir_all(folder);
        made.map_err(|error| Error::local(&format!("Cannot create {}", folder.display()), &error))?;
    }
    let (deletions, mut others): (Vec<SyncStep>, Vec<SyncStep>) =
        steps.into_iter().partition(|step| step.action == SyncAction::Delete);
    others.retain(|step| match &step.does {
        StepWork::Refused(why) => {
            tally.failed(&format!("cannot compare {}", step.path), &Error::new(Kind::Conflict, why.clone()));
            false
        }
        _ => true,
    });
    let journal = context.journal_or_none().await?;
    carry_out_jobs(context, journal.clone(), bulk, others, &mut tally).await?;
    if deletions.is_empty() {
        return Ok(tally.finish());
    }
    if tally.has_failed() {
        stderr::warn(context.format, "nothing was deleted, because not all of the rest went well");
        return Ok(tally.finish());
    }
    let (mut remote, mut output) = (Vec::new(), context.output());
    for step in deletions {
        let StepWork::RemoveLocal(path) = &step.does else {
            remote.push(step);
            continue;
        };
        match local_tree::remove_file(path).await {
            Ok(()) => {
                tally.done();
                print(&mut output, &step)?;
            }
            Err(error) => {
                tally.failed(&format!("cannot delete {}", step.path), &error);
            }
        }
    }
    output.flush()?;
    if let SyncTarget::Local(folder) = &target {
        let folders = trees.local_folders.only_here.into_iter().map(|(path, _)| path).collect();
        local_tree::remove_empty_folders(folder, &folders).await;
    }
    carry_out_jobs(context, journal, bulk, remote, &mut tally).await?;
    Ok(tally.finish())
}

async fn carry_out_jobs(
    context: &CommandContext,
    journal: Journal,
    bulk: BulkOptions,
    steps: Vec<SyncStep>,
    tally: &mut RunTally,
) -> anyhow::Result<()> {
    let task = |step: &SyncStep| match &step.does {
        StepWork::Job(job) => Some(NamedJob { name: step.path.clone(), job: (**job).clone() }),
        _ => None,
    };
    let tasks = steps.iter().filter_map(task).collect();
    let by_path: HashMap<&str, &SyncStep> = steps.iter().map(|step| (step.path.as_str(), step)).collect();
    let mut output = context.output();
    let told = carry_out(context, journal, bulk, tasks, tally, |tally, path, _| {
        let Some(step) = by_path.get(path) else { return Ok(()) };
        tally.done();
        print(&mut output, step)?;
        output.flush()
    });
    told.await
}
