//! Carries out a sync: moves, then its other steps in order, deletions last, each printed when it
//! is done.

use std::collections::HashMap;

use super::context::CommandContext;
use super::named_job::NamedJob;
use super::remote::RemoteArgument;
use super::stderr;
use super::sync_lines::print;
use super::sync_plan::AccountSide;
use super::tally::RunTally;
use super::work::{BulkOptions, carry_out};
use crate::api::{Error, Kind};
use crate::engine::folder_comparison::Rename;
use crate::engine::message::{FolderRef, Target};
use crate::engine::ops::gitignore_rules::GitignoreRules;
use crate::engine::ops::remote_side;
use crate::engine::plan::Direction;
use crate::engine::seen_state::{changed_since, file_state};
use crate::engine::sync::{StepWork, SyncAction, SyncStep};
use crate::engine::tree_filter::TreeFilter;
use crate::engine::{Job, Journal, Outcome};

/// Makes one of two folders like the other.
#[derive(Debug)]
pub struct SyncRun<'a> {
    pub context: &'a CommandContext,
    pub journal: Journal,
    pub bulk: BulkOptions,
    pub side: AccountSide,
}

/// Steps that were carried out, with their outcomes.
pub type DoneSteps = Vec<(SyncStep, Outcome)>;

/// Returns `true` for a step that cannot be done, and counts it as failed.
pub fn is_refused(step: &SyncStep, tally: &mut RunTally) -> bool {
    let Some(why) = step.refusal() else {
        return false;
    };
    let error = Error::new(Kind::Conflict, why);
    tally.failed(&format!("cannot compare {}", step.path), &error);
    true
}

impl SyncRun<'_> {
    /// Carries out all steps, and returns `true` unless a move failed. `on_outcome` gets the
    /// outcome of each finished job but those of moves and of the folders that these need, which
    /// the sides already know.
    pub async fn carry_out(
        &mut self,
        steps: Vec<SyncStep>,
        tally: &mut RunTally,
        mut on_outcome: impl FnMut(&SyncStep, Outcome),
    ) -> anyhow::Result<bool> {
        if let Direction::Down { into: folder, .. } = &self.side.direction {
            let made = std::fs::create_dir_all(folder);
            made.map_err(|error| {
                Error::local(&format!("Cannot create {}", folder.display()), &error)
            })?;
        }
        let (mut moves, mut jobs, mut deletions) = (Vec::new(), Vec::new(), Vec::new());
        for step in steps {
            if is_refused(&step, tally) {
                continue;
            }
            if let StepWork::Move(rename) = &step.does {
                moves.push(((**rename).clone(), step));
            } else if let Some(job) = step.job(&self.side.direction) {
                let is_deletion = step.action == SyncAction::Delete;
                let list = if is_deletion {
                    &mut deletions
                } else {
                    &mut jobs
                };
                list.push((step, job));
            }
        }
        let (mut folders, files): (Vec<_>, Vec<_>) =
            moves.into_iter().partition(|(rename, _)| rename.is_folder);
        // One folder may move into another.
        folders.sort_by(|(one, _), (other, _)| one.to.cmp(&other.to));
        let needed = if folders.is_empty() && files.is_empty() {
            Vec::new()
        } else {
            let is_folder =
                |(step, _): &mut (SyncStep, Job)| step.action == SyncAction::CreateFolder;
            jobs.extract_if(.., is_folder).collect()
        };
        let mut has_moved = self.carry_out_known(needed, tally).await?;
        for folder in folders {
            has_moved &= self.carry_out_moves(vec![folder], tally).await?;
        }
        has_moved &= self.carry_out_moves(files, tally).await?;
        self.carry_out_jobs(jobs, tally, &mut on_outcome).await?;
        if deletions.is_empty() {
            return Ok(has_moved);
        }
        if tally.has_failed() {
            stderr::warn(
                self.context.format,
                "nothing was deleted, because not all of the rest went well",
            );
            return Ok(has_moved);
        }
        self.carry_out_jobs(deletions, tally, &mut on_outcome)
            .await?;
        Ok(has_moved)
    }

    /// Updates the known state of the account with the outcomes of jobs. Returns `false` if
    /// something could not be looked up.
    pub async fn learn(
        &mut self,
        remote: &RemoteArgument,
        done: DoneSteps,
        tally: &mut RunTally,
    ) -> bool {
        let is_known = self.learn_entries(done, tally).await;
        let found = self.side.find_target(self.context, remote).await;
        if let Err(error) = &found {
            tally.failed(&format!("cannot look up {remote}"), error);
        }
        is_known && found.is_ok()
    }

    async fn learn_entries(&mut self, done: DoneSteps, tally: &mut RunTally) -> bool {
        let mut is_known = true;
        for (step, outcome) in done {
            let (client, from) = (self.context.client(), step.from.as_deref());
            let learned = self.side.there.learn(client, &step.path, from, outcome);
            if let Err(error) = learned.await {
                tally.failed(&format!("cannot look up {}", step.path), &error);
                is_known = false;
            }
        }
        is_known
    }

    /// Carries out jobs, several at once.
    async fn carry_out_jobs(
        &self,
        jobs: Vec<(SyncStep, Job)>,
        tally: &mut RunTally,
        on_outcome: &mut impl FnMut(&SyncStep, Outcome),
    ) -> anyhow::Result<()> {
        if jobs.is_empty() {
            return Ok(());
        }
        let (mut steps, mut tasks) = (HashMap::new(), Vec::with_capacity(jobs.len()));
        for (step, job) in jobs {
            let name = step.path.clone();
            tasks.push(NamedJob {
                name: name.clone(),
                job,
            });
            steps.insert(name, step);
        }
        let mut output = self.context.output();
        let carried_out = carry_out(
            self.context,
            self.journal.clone(),
            self.bulk,
            tasks,
            tally,
            |tally, path, outcome| {
                let Some(step) = steps.get(path) else {
                    return Ok(());
                };
                tally.done();
                on_outcome(step, outcome);
                print(&mut output, step)?;
                output.flush()
            },
        );
        carried_out.await.map(drop)
    }

    /// Moves files and folders on the service. Returns
    /// `false` if one could not be moved: it stays where it is until both sides are compared again.
    async fn carry_out_moves(
        &mut self,
        moves: Vec<(Rename, SyncStep)>,
        tally: &mut RunTally,
    ) -> anyhow::Result<bool> {
        let (mut jobs, mut is_known) = (Vec::new(), true);
        for (rename, step) in moves {
            // Without the folder, whose failure was reported, it waits for the next comparison.
            let Some(into) = self.place(rename.above().unwrap_or_default()) else {
                is_known = false;
                continue;
            };
            let job = match self.is_as_known(&rename).await {
                Ok(true) => rename.job(&into),
                Ok(false) => Err(changed_since(&rename.item.path)),
                Err(error) => Err(error),
            };
            match job {
                Ok(job) => jobs.push((step, job)),
                Err(error) => {
                    tally.failed(&format!("cannot move {}", rename.from), &error);
                    is_known = false;
                }
            }
        }
        Ok(self.carry_out_known(jobs, tally).await? && is_known)
    }

    /// Carries out jobs whose outcomes the next ones need. Returns `false` if one could not be
    /// looked up.
    async fn carry_out_known(
        &mut self,
        jobs: Vec<(SyncStep, Job)>,
        tally: &mut RunTally,
    ) -> anyhow::Result<bool> {
        let mut done = DoneSteps::new();
        let mut on_outcome = |step: &SyncStep, outcome| done.push((step.clone(), outcome));
        self.carry_out_jobs(jobs, tally, &mut on_outcome).await?;
        Ok(self.learn_entries(done, tally).await)
    }

    /// Returns `true` if the remote file is unchanged and in its place, or the folder in its place
    /// with what it had in it: nothing else may come along.
    async fn is_as_known(&self, rename: &Rename) -> Result<bool, Error> {
        let client = self.context.client();
        match &rename.item.target {
            Target::File(id) => {
                let now = file_state(&client.files().get(id).await?);
                let mut known = self.side.there.files.values();
                Ok(known.any(|file| file.id == *id && file_state(file) == now))
            }
            Target::Folder(id) => {
                let path = client.folders().get(id).await?.path;
                let place = FolderRef {
                    id: Some(id.clone()),
                    path: rename.item.path.clone(),
                };
                let (filter, rules) = (TreeFilter::default(), GitignoreRules::default());
                let now = remote_side::read(client, &place, &filter, &rules).await?;
                Ok(path.is_some_and(|path| path == place.path)
                    && now.ids_in("") == self.side.there.ids_in(&rename.from))
            }
        }
    }

    fn place(&self, path: &str) -> Option<FolderRef> {
        match &self.side.direction {
            Direction::Up { into, .. } if self.side.below.is_empty() => {
                self.side.there.place(path, into)
            }
            _ => None,
        }
    }
}
