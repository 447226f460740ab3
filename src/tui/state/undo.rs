//! The changes of an account in this session that can be undone: renames, moves and changes of
//! access, each with the jobs that restore the old state. The engine refuses a job if its file has
//! changed since.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::api::model::Access;
use crate::engine::batch::BatchId;
use crate::engine::message::{Settled, Target};
use crate::engine::{Item, Job, Outcome};

/// The changes that can be undone, newest last.
#[derive(Debug, Clone, Default)]
pub struct Undo {
    changes: Vec<UndoStep>,
    /// Running batches, each with its undo jobs that are still to come and those that are ready.
    running: BTreeMap<BatchId, (BTreeMap<Target, Job>, UndoStep)>,
    /// The modification times before the change that is being undone, as far as they are known.
    undoing: BTreeMap<Target, Timestamp>,
    last_key: u32,
}

/// Identifies the key press that caused a change, which may be two batches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct KeyPress(u32);

/// The jobs that restore the state before a change.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct UndoStep {
    pub key: KeyPress,
    pub jobs: Vec<Job>,
    /// Names of files that are private now, and the level that lets anyone fetch them again.
    pub private: Vec<(String, Access)>,
    before: BTreeMap<Target, Timestamp>,
}

/// The most changes remembered.
const LONGEST: usize = 50;

impl Undo {
    pub fn mint_key(&mut self) -> KeyPress {
        self.last_key = self.last_key.wrapping_add(1);
        KeyPress(self.last_key)
    }

    /// Records that a batch was queued. `reverse` jobs undo its jobs and carry the modification
    /// times from before.
    pub fn queued(&mut self, batch: BatchId, key: KeyPress, reverse: Vec<Job>) {
        if !reverse.is_empty() {
            let by_target = reverse
                .into_iter()
                .filter_map(|job| Some((job.target()?, job)))
                .collect();
            self.running.insert(
                batch,
                (
                    by_target,
                    UndoStep {
                        key,
                        ..UndoStep::default()
                    },
                ),
            );
        }
    }

    pub fn settled(&mut self, batch: BatchId, settled: &[Settled]) {
        for settled_job in settled
            .iter()
            .filter(|settled_job| settled_job.job.is_undo())
        {
            self.undone(settled_job);
        }
        let Some((reverse, step)) = self.running.get_mut(&batch) else {
            return;
        };
        for settled_job in settled {
            let Some(target) = settled_job.job.target() else {
                continue;
            };
            let Some((job, outcome)) = reverse
                .remove(&target)
                .zip(settled_job.result.as_ref().ok())
            else {
                continue;
            };
            step.private.extend(private_name(&job, outcome));
            step.before.extend(job.seen().map(|seen| (target, seen)));
            step.jobs.extend(from_here(job, outcome));
        }
    }

    /// Records that a batch has ended; returns `true` if any of it can be undone.
    pub fn ended(&mut self, batch: BatchId) -> bool {
        let step = self
            .running
            .remove(&batch)
            .map(|(_, step)| step)
            .filter(|step| !step.jobs.is_empty());
        let Some(step) = step else { return false };
        match self.changes.iter_mut().find(|other| other.key == step.key) {
            Some(same) => {
                same.jobs.extend(step.jobs);
                same.private.extend(step.private);
                same.before.extend(step.before);
            }
            None => self.changes.push(step),
        }
        if self.changes.len() > LONGEST {
            self.changes.remove(0);
        }
        true
    }

    pub fn last(&self) -> Option<&UndoStep> {
        self.changes.last()
    }

    /// Removes the last change and returns what undoes it.
    pub fn pop(&mut self) -> Option<UndoStep> {
        let step = self.changes.pop()?;
        self.undoing.clone_from(&step.before);
        Some(step)
    }

    /// Adjusts earlier changes: what was undone is back in the state that they left, so that they
    /// can be undone next.
    fn undone(&mut self, settled: &Settled) {
        let now = match settled.result.as_ref() {
            Ok(Outcome::FileUpdated(file)) => file.updated_at,
            Ok(Outcome::FolderUpdated(folder)) => folder.updated_at,
            _ => None,
        };
        let before = settled
            .job
            .target()
            .and_then(|target| self.undoing.remove(&target));
        let Some((now, before)) = now.zip(before) else {
            return;
        };
        let earlier = self.changes.iter_mut().flat_map(|step| &mut step.jobs);
        for job in
            earlier.filter(|job| job.target() == settled.job.target() && job.seen() == Some(before))
        {
            job.see(now);
        }
    }
}

/// Updates an undo job with the current name and place of its file or folder. Returns `None` if the
/// service gives no modification time, because later changes could not be detected.
fn from_here(job: Job, outcome: &Outcome) -> Option<Job> {
    Some(match (job, outcome) {
        (Job::Change { update, .. }, Outcome::FileUpdated(file)) => Job::Change {
            file: Item::of(file),
            update,
            seen: Some(file.updated_at?),
        },
        (Job::Move { into, .. }, Outcome::FileUpdated(file)) => Job::Move {
            file: Item::of(file),
            into,
            seen: Some(file.updated_at?),
        },
        (
            Job::UpdateFolder {
                folder,
                name,
                parent,
                ..
            },
            Outcome::FolderUpdated(now),
        ) => Job::UpdateFolder {
            folder,
            from: now.path.clone()?,
            name,
            parent,
            seen: Some(now.updated_at?),
        },
        _ => return None,
    })
}

/// The name of a file that is private now, and its level after the job, if that is public.
fn private_name(job: &Job, outcome: &Outcome) -> Option<(String, Access)> {
    let (Job::Change { update, .. }, Outcome::FileUpdated(now)) = (job, outcome) else {
        return None;
    };
    let becomes = update.access.clone().filter(Access::is_public)?;
    let is_public = now.access.as_ref().is_some_and(Access::is_public);
    (!is_public).then(|| (now.full_name(), becomes))
}
