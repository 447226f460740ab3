//! The passes of `watch`: each compares both folders, or what has changed in them, and makes them
//! alike. Between passes, the state of both sides is kept.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;
use jiff::Timestamp;
use same_file::Handle;

use super::context::CommandContext;
use super::mirror::Mirror;
use super::remote::RemoteArgument;
use super::stderr;
use super::sync_lines::print_left_out;
use super::sync_plan::{AccountSide, SyncPlan};
use super::sync_run::{DoneSteps, SyncRun};
use super::work::BulkOptions;
use crate::api::model::UploadOptions;
use crate::api::{Error, Kind};
use crate::engine::left_out::Reason;
use crate::engine::local_watch::{LocalChanges, LocalWatch};
use crate::engine::ops::compare_trees::compare;
use crate::engine::ops::local_tree::{self, LocalTree};
use crate::engine::ops::remote_side::RemoteSide;
use crate::engine::ops::renames::{self, Gone};
use crate::engine::ops::scope::Scope;
use crate::engine::ops::tree_here::TreeHere;
use crate::engine::plan::Direction;
use crate::engine::sync::{SyncAction, SyncStep};
use crate::engine::tree_filter::TreeFilter;

/// The interval between looks for a folder that was deleted.
const POLL: Duration = Duration::from_secs(1);

/// The local folder, the remote folder that is kept like it, and the options.
#[derive(Debug)]
pub struct WatchOptions {
    pub local: PathBuf,
    pub remote: RemoteArgument,
    pub filter: TreeFilter,
    pub upload: UploadOptions,
    pub mirror: Mirror,
    pub bulk: BulkOptions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PassEnd {
    Alike,
    /// Something failed. If everything would fail the same way, nothing need be tried for a while.
    Failed {
        meets_all: bool,
    },
    /// The service rejects the token.
    NotAuthorized,
}

#[derive(Debug)]
pub struct WatchRun<'a> {
    options: WatchOptions,
    run: SyncRun<'a>,
    here: LocalTree,
    /// The local folder that the path named at the start, or that was made after its deletion.
    top: Handle,
    /// Set once the user has been warned that the local folder has no files; deletions wait.
    is_emptied: bool,
}

impl WatchOptions {
    pub async fn read(&self, context: &CommandContext) -> anyhow::Result<(LocalTree, AccountSide)> {
        let sides = AccountSide::upward(
            context,
            &self.local,
            &self.remote,
            &self.filter,
            self.upload.clone(),
        )
        .await;
        sides.with_context(|| self.attempt())
    }

    /// Plans what makes both sides alike, without a memory of an earlier pass.
    pub async fn plan(&self, here: &LocalTree, side: &AccountSide) -> SyncPlan {
        let Mirror {
            delete, no_renames, ..
        } = self.mirror;
        side.plan(TreeHere::Disk(here), delete, !no_renames).await
    }

    /// Starts to watch the local folder.
    pub fn watch(&self, poll: Option<Duration>) -> anyhow::Result<LocalWatch> {
        let watch = LocalWatch::start(&self.local, poll);
        watch.with_context(|| format!("cannot watch {}", self.local.display()))
    }

    fn top(&self) -> anyhow::Result<Handle> {
        let unreadable =
            |error| Error::local(&format!("Cannot read {}", self.local.display()), &error);
        Handle::from_path(&self.local)
            .map_err(unreadable)
            .with_context(|| self.attempt())
    }

    fn attempt(&self) -> String {
        format!(
            "cannot compare {} with {}",
            self.local.display(),
            self.remote
        )
    }
}

impl<'a> WatchRun<'a> {
    /// Reads both sides and makes them alike.
    pub async fn start(
        context: &'a CommandContext,
        options: WatchOptions,
    ) -> anyhow::Result<(Self, PassEnd)> {
        let top = options.top()?;
        let (here, side) = options.read(context).await?;
        let journal = context.journal_or_none().await?;
        let mut plan = options.plan(&here, &side).await;
        let withholds = plan.withhold_deletions(&side.direction);
        stderr::note(context.format, &plan.summary());
        if withholds {
            let message = "nothing was deleted, because not everything can be compared";
            stderr::warn(context.format, message);
        }
        let bulk = options.bulk;
        let run = SyncRun {
            context,
            journal,
            bulk,
            side,
        };
        let mut run = Self {
            options,
            run,
            here,
            top,
            is_emptied: false,
        };
        let end = run.carry_out(plan).await?;
        Ok((run, end))
    }

    /// Compares what may have changed, and makes it alike.
    pub async fn pass(&mut self, changes: LocalChanges) -> anyhow::Result<PassEnd> {
        let paths = match changes {
            LocalChanges::Paths(paths) => paths,
            LocalChanges::Unknown => {
                let now = local_tree::read(&self.options.local, &self.options.filter).await;
                let now = now.with_context(|| self.options.attempt())?;
                self.here.changes(&now)
            }
            LocalChanges::Missed => return self.pass_over_all().await,
        };
        if paths.is_empty() {
            return Ok(PassEnd::Alike);
        }
        let has_rules = |path: &String| path.rsplit('/').next() == Some(".gitignore");
        if self.is_emptied || (self.options.filter.gitignore && paths.iter().any(has_rules)) {
            return self.pass_over_all().await;
        }
        let known = &self.here;
        let scope = Scope::of(paths.iter().map(|path| known.outermost_new(path)));
        let scope = known.with_other_forms(&scope);
        let here = local_tree::read_part(
            &self.options.local,
            &scope,
            &self.options.filter,
            &known.rules,
        )
        .await?;
        if here.rules.are_in(&scope) || known.rules.are_in(&scope) {
            return self.pass_over_all().await;
        }
        if let Direction::Up { asked_at, .. } = &mut self.run.side.direction {
            *asked_at = Timestamp::now();
        }
        let there = self.run.side.there.part(&scope);
        let gone = self.here.update(&scope, &here);
        let plan = self.plan(&here, &there, &gone).await;
        // Files that only the comparison has tried to read.
        let left_out = plan.found.left_out.paths.iter();
        let unreadable = left_out.filter(|(_, reason)| **reason == Reason::Unreadable);
        let unreadable = unreadable.map(|(path, reason)| (path.clone(), *reason));
        self.here.left_out.paths.extend(unreadable);
        self.carry_out_rest(plan).await
    }

    async fn pass_over_all(&mut self) -> anyhow::Result<PassEnd> {
        let (here, side) = self.options.read(self.run.context).await?;
        let gone = self.here.update(&Scope::whole(), &here);
        (self.here, self.run.side) = (here, side);
        let plan = self.plan(&self.here, &self.run.side.there, &gone).await;
        self.carry_out_rest(plan).await
    }

    /// Plans what makes both sides alike, for a part of them or for everything.
    async fn plan(
        &self,
        here: &LocalTree,
        there: &RemoteSide,
        gone: &BTreeSet<String>,
    ) -> SyncPlan {
        let mirror = self.options.mirror;
        let mut trees = compare(TreeHere::Disk(here), there).await;
        if !mirror.no_renames {
            renames::take(&mut trees, Gone::Known(gone)).await;
        }
        // What is left out may be what seems to be gone here.
        let delete = mirror.delete && self.here.left_out.unfit() == 0;
        let plan = SyncPlan::of(trees, &self.run.side, delete);
        SyncPlan {
            source_files: self.here.files.len(),
            ..plan
        }
    }

    /// Carries out the plan of a later pass; without files here, all but its deletions.
    async fn carry_out_rest(&mut self, mut plan: SyncPlan) -> anyhow::Result<PassEnd> {
        if plan.deletes() && plan.source_files == 0 {
            plan.steps.retain(|step| step.action != SyncAction::Delete);
            self.tell_emptied();
        } else {
            self.is_emptied = false;
        }
        if !plan.steps.is_empty() {
            stderr::note(self.run.context.format, &plan.summary());
        }
        self.carry_out(plan).await
    }

    fn tell_emptied(&mut self) {
        if !std::mem::replace(&mut self.is_emptied, true) {
            let local = self.options.local.display();
            let message = format!("{local} has no files now; nothing is deleted until it has some");
            stderr::warn(self.run.context.format, &message);
        }
    }

    /// Returns `true` if the local folder was deleted. One that was moved away still exists.
    #[cfg(unix)]
    pub fn is_gone(&self) -> bool {
        let found = self.top.as_file().metadata();
        found.is_ok_and(|found| std::os::unix::fs::MetadataExt::nlink(&found) == 0)
    }

    #[cfg(not(unix))]
    pub fn is_gone(&self) -> bool {
        false
    }

    /// Waits until the deleted folder is made again, and watches the new one.
    pub async fn until_back(&mut self, poll: Option<Duration>) -> anyhow::Result<LocalWatch> {
        self.tell_emptied();
        self.top = loop {
            match self.options.top() {
                Ok(top) => break top,
                Err(_) => tokio::time::sleep(POLL).await,
            }
        };
        self.options.watch(poll)
    }

    async fn carry_out(&mut self, plan: SyncPlan) -> anyhow::Result<PassEnd> {
        let source = self.options.local.display();
        if self.options.top()? != self.top {
            let message = format!(
                "{source} is another folder than at the start; start the command again to follow it"
            );
            return Err(Error::new(Kind::Refused, message)).context("nothing was changed");
        }
        self.options
            .mirror
            .check(&plan, &source)
            .context("nothing was changed")?;
        let (context, run) = (self.run.context, &mut self.run);
        let is_readable = self.here.left_out.is_readable();
        print_left_out(context, &plan.found.left_out, &plan.found.warnings)?;
        if plan.steps.is_empty() {
            return Ok(if is_readable {
                PassEnd::Alike
            } else {
                PassEnd::Failed { meets_all: false }
            });
        }
        let mut tally = context.tally(plan.steps.len());
        let (had_deletions, mut done) = (plan.deletes(), DoneSteps::new());
        let on_outcome = |step: &SyncStep, outcome| done.push((step.clone(), outcome));
        let has_moved = run.carry_out(plan.steps, &mut tally, on_outcome).await?;
        let is_known = run.learn(&self.options.remote, done, &mut tally).await;
        // Deletions that a failure prevented wait for a full pass.
        let has_failed = !is_readable
            || !has_moved
            || !is_known
            || tally.has_failed_jobs()
            || (had_deletions && tally.has_failed());
        let end = match () {
            () if tally.is_refused() => PassEnd::NotAuthorized,
            () if has_failed => PassEnd::Failed {
                meets_all: tally.met_all(),
            },
            () => PassEnd::Alike,
        };
        tally.finish();
        Ok(end)
    }
}
