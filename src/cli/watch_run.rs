//! The passes of `watch`: each compares both folders, or what has changed in them, and makes them
//! alike. Between passes, the state of both sides is kept.

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::Context as _;
use jiff::Timestamp;
use same_file::Handle;

use super::context::CommandContext;
use super::exit::Exit;
use super::mirror::Mirror;
use super::remote::RemoteArgument;
use super::stderr;
use super::sync_plan::{SyncPlan, SyncSides, print_left_out};
use super::sync_run::{carry_out_jobs, carry_out_plan};
use super::tally::RunTally;
use super::work::BulkOptions;
use crate::api::model::UploadOptions;
use crate::api::{Error, Kind};
use crate::engine::local_watch::LocalChanges;
use crate::engine::message::{FolderRef, Target};
use crate::engine::ops::compare_trees::compare;
use crate::engine::ops::local_tree::{self, LocalTree};
use crate::engine::ops::remote_side::RemoteSide;
use crate::engine::ops::renames;
use crate::engine::ops::scope::Scope;
use crate::engine::seen_state::{changed_since, file_state};
use crate::engine::sync::{Rename, SyncStep, SyncTarget, move_step, new_folder};
use crate::engine::tree_filter::TreeFilter;
use crate::engine::{Journal, Outcome};

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
    context: &'a CommandContext,
    options: WatchOptions,
    journal: Journal,
    sides: SyncSides,
    /// The local folder that the path named at the start.
    top: Handle,
}

impl WatchOptions {
    pub async fn read(&self, context: &CommandContext) -> anyhow::Result<SyncSides> {
        let sides = SyncSides::upward(
            context,
            &self.local,
            &self.remote,
            &self.filter,
            self.upload.clone(),
        )
        .await;
        sides.with_context(|| self.attempt())
    }

    /// Plans what makes both sides alike, for a part of them or for everything.
    async fn plan(
        &self,
        sides: &SyncSides,
        here: &LocalTree,
        there: &RemoteSide,
        gone: &BTreeSet<String>,
    ) -> SyncPlan {
        let mut trees = compare(here, there).await;
        let renames = renames::take(&mut trees, here, there, gone).await;
        let mut target = sides.target.clone();
        if let SyncTarget::Remote { asked_at, .. } = &mut target {
            *asked_at = Timestamp::now();
        }
        // Unreadable folders may contain the entries that seem to be gone here.
        let delete = self.mirror.delete && sides.here.left_out.is_readable();
        let plan = SyncPlan::of(trees, target, delete);
        SyncPlan {
            renames,
            source_files: sides.here.files.len(),
            ..plan
        }
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
        let sides = options.read(context).await?;
        let journal = context.journal_or_none().await?;
        let plan = options
            .plan(&sides, &sides.here, &sides.there, &BTreeSet::new())
            .await;
        stderr::note(context.format, &plan.summary());
        let mut run = Self {
            context,
            options,
            journal,
            sides,
            top,
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
                self.sides.here.changes(&now)
            }
            LocalChanges::Missed => return self.pass_over_all().await,
        };
        if paths.is_empty() {
            return Ok(PassEnd::Alike);
        }
        if self.options.filter.gitignore && paths.iter().any(|path| name(path) == ".gitignore") {
            return self.pass_over_all().await;
        }
        let known = &self.sides.here;
        let scope = Scope::of(paths.iter().map(|path| known.outermost_new(path)));
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
        let there = self.sides.there.part(&scope);
        let gone = self.sides.here.update(&scope, &here);
        let plan = self.options.plan(&self.sides, &here, &there, &gone).await;
        self.tell(&plan);
        self.carry_out(plan).await
    }

    async fn pass_over_all(&mut self) -> anyhow::Result<PassEnd> {
        let sides = self.options.read(self.context).await?;
        let gone = self.sides.here.update(&Scope::whole(), &sides.here);
        let plan = self
            .options
            .plan(&sides, &sides.here, &sides.there, &gone)
            .await;
        self.sides = sides;
        self.tell(&plan);
        self.carry_out(plan).await
    }

    /// Prints the summary of a plan, if there is anything to do.
    fn tell(&self, plan: &SyncPlan) {
        if plan.is_work() {
            stderr::note(self.context.format, &plan.summary());
        }
    }

    /// Moves what was renamed, then carries out the rest, deletions last.
    async fn carry_out(&mut self, mut plan: SyncPlan) -> anyhow::Result<PassEnd> {
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
        let is_readable = self.sides.here.left_out.is_readable();
        print_left_out(self.context, &plan.trees.left_out, &plan.trees.warnings)?;
        if !plan.is_work() {
            return Ok(if is_readable {
                PassEnd::Alike
            } else {
                PassEnd::Failed { meets_all: false }
            });
        }
        let (mut folders, files): (Vec<Rename>, Vec<Rename>) = std::mem::take(&mut plan.renames)
            .into_iter()
            .partition(|rename| rename.is_folder);
        // One folder may move into another.
        folders.sort_by(|one, other| one.to.cmp(&other.to));
        let mut tally = RunTally::new(
            self.context.format,
            plan.steps.len() + folders.len() + files.len(),
        );
        let mut heard = Heard {
            has_failed: !is_readable,
            ..Heard::default()
        };
        for folder in folders {
            self.carry_out_moves(&[folder], &mut tally, &mut heard)
                .await?;
        }
        self.carry_out_moves(&files, &mut tally, &mut heard).await?;
        let (had_deletions, journal, bulk) =
            (plan.deletes(), self.journal.clone(), self.options.bulk);
        let on_outcome = |step: &SyncStep, outcome| heard.done.push((step.clone(), outcome));
        carry_out_plan(self.context, journal, plan, bulk, &mut tally, on_outcome).await?;
        self.learn(&mut heard).await;
        // Deletions that it prevented wait for a full pass.
        heard.has_failed |= tally.has_failed_jobs() || (had_deletions && tally.has_failed());
        heard.meets_all |= tally.met_all();
        heard.is_refused |= tally.is_refused();
        tally.finish();
        Ok(heard.end())
    }

    /// Moves files and folders on the service, into folders that are created if missing.
    async fn carry_out_moves(
        &mut self,
        renames: &[Rename],
        tally: &mut RunTally,
        heard: &mut Heard,
    ) -> anyhow::Result<()> {
        let missing: BTreeSet<&str> = renames
            .iter()
            .map(|rename| above(&rename.to))
            .filter(|path| self.place(path).is_none())
            .collect();
        let made = missing
            .iter()
            .map(|path| new_folder(path, path, &self.sides.target))
            .collect::<Vec<_>>();
        tally.also(made.len());
        self.carry_out_steps(made, tally, heard).await?;
        let mut moves = Vec::new();
        for rename in renames {
            // Without the folder, it is uploaded again at the next full pass.
            let Some(into) = self.place(above(&rename.to)) else {
                continue;
            };
            let step = match self.is_as_known(rename).await {
                Ok(true) => move_step(rename, &into),
                Ok(false) => Err(changed_since(&rename.item.path)),
                Err(error) => Err(error),
            };
            match step {
                Ok(step) => moves.push(step),
                Err(error) => {
                    heard.has_failed = true;
                    tally.failed(&format!("cannot move {}", rename.from), &error);
                }
            }
        }
        self.carry_out_steps(moves, tally, heard).await
    }

    /// Returns `true` if the remote file or folder is unchanged and in its place.
    async fn is_as_known(&self, rename: &Rename) -> Result<bool, Error> {
        let client = self.context.client();
        match &rename.item.target {
            Target::File(id) => {
                let now = file_state(&client.file(id).await?);
                Ok(self
                    .sides
                    .there
                    .files
                    .values()
                    .any(|file| file.id == *id && file_state(file) == now))
            }
            Target::Folder(id) => Ok(client
                .folder(id)
                .await?
                .path
                .is_some_and(|path| path == rename.item.path)),
        }
    }

    async fn carry_out_steps(
        &mut self,
        steps: Vec<SyncStep>,
        tally: &mut RunTally,
        heard: &mut Heard,
    ) -> anyhow::Result<()> {
        let (journal, bulk) = (self.journal.clone(), self.options.bulk);
        let mut on_outcome = |step: &SyncStep, outcome| heard.done.push((step.clone(), outcome));
        carry_out_jobs(self.context, journal, bulk, steps, tally, &mut on_outcome).await?;
        self.learn(heard).await;
        Ok(())
    }

    fn place(&self, path: &str) -> Option<FolderRef> {
        match &self.sides.target {
            SyncTarget::Remote { into, below, .. } if below.is_empty() => {
                self.sides.there.place(path, into)
            }
            _ => None,
        }
    }

    /// Updates the known state of the service with the outcomes of the jobs.
    async fn learn(&mut self, heard: &mut Heard) {
        let client = self.context.client();
        for (step, outcome) in std::mem::take(&mut heard.done) {
            if let Err(error) = self
                .sides
                .there
                .learn(client, &step.path, step.from.as_deref(), outcome)
                .await
            {
                stderr::report(
                    self.context.format,
                    &format!("cannot look up {}", step.path),
                    &error,
                );
                heard.fail(&error);
            }
        }
        if let Err(error) = self
            .sides
            .find_target(self.context, &self.options.remote)
            .await
        {
            stderr::report(
                self.context.format,
                &format!("cannot look up {}", self.options.remote),
                &error,
            );
            heard.fail(&error);
        }
    }
}

#[derive(Debug, Default)]
struct Heard {
    done: Vec<(SyncStep, Outcome)>,
    has_failed: bool,
    meets_all: bool,
    is_refused: bool,
}

impl Heard {
    fn fail(&mut self, error: &Error) {
        self.has_failed = true;
        self.meets_all |= error.meets_all();
        self.is_refused |= error.meets_all() && Exit::from(error.kind) == Exit::NotAuthorized;
    }

    fn end(&self) -> PassEnd {
        match self {
            Self {
                is_refused: true, ..
            } => PassEnd::NotAuthorized,
            Self {
                has_failed: true,
                meets_all,
                ..
            } => PassEnd::Failed {
                meets_all: *meets_all,
            },
            _ => PassEnd::Alike,
        }
    }
}

fn above(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(above, _)| above)
}

fn name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}
