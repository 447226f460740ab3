//! Makes one tree like another: the steps of a one-way sync, made from a comparison, and the jobs
//! for them. Plain data; nothing is read or changed here.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::ancestors::ancestors;
use super::disk_name::path_to_disk;
use super::item::{FolderRef, Item};
use super::job::Job;
use super::left_out::LeftOut;
use super::plan::{Direction, Existing, ExistingFile, PlanChoice, PlanRow, PlanSource};
use super::relocation::relocation;
use super::seen_state::{LocalState, folder_state};
use crate::api::Error;
use crate::api::paths::join;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct ComparedTrees {
    /// Files that differ, by path.
    pub files: Vec<ComparedFile>,
    /// Files and folders of the account that were renamed here; in no other list.
    pub renames: Vec<Rename>,
    pub local_folders: SideFolders,
    pub remote_folders: SideFolders,
    /// The number of files with the same content on both sides.
    pub same: usize,
    /// The number of these that were compared by size alone, since the service gave no MD5.
    pub by_size: usize,
    /// The number of files of each side that are compared.
    pub local_files: usize,
    pub remote_files: usize,
    /// Paths that are neither compared nor changed, on both sides.
    pub left_out: LeftOut,
    /// Warnings about the rules that were read; safe to show.
    pub warnings: Vec<String>,
    /// Files and folders whose local path differs from the account's, with that path as the account
    /// would have it.
    pub own: BTreeMap<String, String>,
}

impl ComparedTrees {
    /// Returns the path on this machine's disk, whether it exists or not. Fails if the disk cannot
    /// have the name.
    pub fn path_here(&self, path: &str) -> Result<String, &'static str> {
        let above = path
            .rmatch_indices('/')
            .filter_map(|(at, _)| path.get(..at));
        let moved = [path].into_iter().chain(above).find_map(|above| {
            let (own, rest) = (self.own.get(above)?, path.strip_prefix(above)?);
            Some(format!("{own}{rest}"))
        });
        path_to_disk(moved.as_deref().unwrap_or(path))
    }

    /// Returns the outermost folder of this machine around a path that the account does not have;
    /// `top` is the tree's own.
    fn outermost_only_here(&self, path: &str, top: &Path) -> Option<PathBuf> {
        let outermost = ancestors(path).find(|folder| self.local_folders.has_alone(folder))?;
        Some(top.join(self.path_here(outermost).ok()?))
    }
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct SideFolders {
    /// Folders that the other side does not have, in order of their paths. The item is for a
    /// deletion; local folders have none.
    pub only_here: Vec<(String, Option<Item>)>,
    /// Empty folders of this side.
    pub empty: BTreeSet<String>,
    /// Folders that hold, at any depth, something that is not compared.
    pub holding: BTreeSet<String>,
}

impl SideFolders {
    /// Returns `true` for a folder that the other side does not have.
    fn has_alone(&self, folder: &str) -> bool {
        let found = self
            .only_here
            .binary_search_by(|(path, _)| (**path).cmp(folder));
        found.is_ok()
    }
}

/// A file that is not the same on both sides.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedFile {
    pub path: String,
    pub what: FileDifference,
}

#[derive(Debug, Clone, PartialEq)]
pub enum FileDifference {
    OnlyLocal {
        local: PathBuf,
        state: LocalState,
    },
    OnlyRemote {
        item: Item,
        state: String,
    },
    Differs {
        local: PathBuf,
        state: LocalState,
        remote: Item,
        /// The state of the remote file.
        seen: String,
        /// The MD5 of the local file, which is read only if the sizes are the same.
        own: Option<String>,
    },
    /// A file here and a folder there, or two of one name, with the reason for the user.
    Clash(String),
}

/// A file or folder of the account that has another path on this machine, with the same bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Rename {
    pub item: Item,
    pub from: String,
    pub to: String,
    pub is_folder: bool,
}

impl Rename {
    /// Returns the job that moves it; `into` is the folder that it is in from then on.
    pub fn job(&self, into: &FolderRef) -> Result<Job, Error> {
        let name = self.to.rsplit_once('/').map_or(&*self.to, |(_, name)| name);
        relocation(&self.item, into, Some(name))
    }

    /// Returns the folder that it moves into; `None` for the top.
    pub fn above(&self) -> Option<&str> {
        Some(self.to.rsplit_once('/')?.0)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SyncAction {
    Create,
    Replace,
    CreateFolder,
    /// Moves it from another path; it keeps its id.
    Move,
    Delete,
    /// Does nothing: it cannot be done.
    Clash,
}

#[derive(Debug, Clone, PartialEq)]
pub struct SyncStep {
    /// A folder's path ends with a slash.
    pub path: String,
    /// The path that it is moved from.
    pub from: Option<String>,
    pub action: SyncAction,
    /// The bytes that travel, or are deleted.
    pub size: Option<u64>,
    /// The number of files and folders in it.
    pub items: usize,
    pub does: StepWork,
}

#[derive(Debug, Clone, PartialEq)]
pub enum StepWork {
    Row(Box<PlanRow>),
    /// A move into a folder that may have to be created first.
    Move(Box<Rename>),
}

impl SyncStep {
    fn of_row(path: String, action: SyncAction, row: PlanRow) -> Self {
        Self {
            path,
            from: None,
            action,
            size: row.size,
            items: 1,
            does: StepWork::Row(Box::new(row)),
        }
    }

    /// Returns the job; `None` for a move, and for what cannot be done.
    pub fn job(&self, direction: &Direction) -> Option<Job> {
        let choice = match self.action {
            SyncAction::Create | SyncAction::CreateFolder => PlanChoice::Go,
            SyncAction::Replace => PlanChoice::Replace,
            SyncAction::Delete => PlanChoice::Delete,
            SyncAction::Move | SyncAction::Clash => return None,
        };
        match &self.does {
            StepWork::Row(row) => row.job(choice, direction),
            StepWork::Move(_) => None,
        }
    }

    /// Returns the reason why it cannot be done.
    pub fn refusal(&self) -> Option<&str> {
        match &self.does {
            StepWork::Row(row) => match &row.source {
                PlanSource::Unfit(why) => Some(why),
                _ => None,
            },
            StepWork::Move(_) => None,
        }
    }
}

/// Returns the steps that make the target of `direction` like the other side: first moves, after
/// the folders that they need, and deletions last. `below` is the part of the account's folder that
/// is yet to be created. Without `delete` it keeps what only the target has, and also if something
/// could not be read: nobody knows what is gone then.
pub fn steps(
    trees: &ComparedTrees,
    direction: &Direction,
    below: &str,
    delete: bool,
) -> Vec<SyncStep> {
    let above: BTreeSet<&str> = trees.renames.iter().filter_map(Rename::above).collect();
    let is_missing = |folder: &&str| {
        let is_innermost = !above.iter().any(|other| is_below(other, folder));
        is_innermost && trees.local_folders.has_alone(folder)
    };
    let missing = above.iter().copied().filter(is_missing);
    let new_folder = |folder: &str, name: String| {
        let row = PlanRow::new(PlanSource::EmptyFolder, name, None);
        SyncStep::of_row(format!("{folder}/"), SyncAction::CreateFolder, row)
    };
    let mut steps: Vec<SyncStep> = missing
        .map(|folder| new_folder(folder, beneath(below, folder)))
        .chain(trees.renames.iter().map(move_step))
        .collect();
    let mut deletions = Vec::new();
    for file in &trees.files {
        let step = step(file, direction, below, trees);
        if step.action == SyncAction::Delete {
            deletions.push(step);
        } else {
            steps.push(step);
        }
    }
    let is_up = matches!(direction, Direction::Up { .. });
    let source = if is_up {
        &trees.local_folders
    } else {
        &trees.remote_folders
    };
    let new = source
        .only_here
        .iter()
        .filter(|(path, _)| source.empty.contains(path));
    steps.extend(new.map(|(path, _)| match trees.path_here(path) {
        _ if is_up => new_folder(path, beneath(below, path)),
        Ok(own) => new_folder(path, own),
        Err(why) => refused(path.clone(), why),
    }));
    if delete && trees.left_out.is_readable() {
        if is_up {
            delete_folders(&trees.remote_folders, &mut deletions);
        }
        steps.append(&mut deletions);
    }
    steps
}

fn step(
    file: &ComparedFile,
    direction: &Direction,
    below: &str,
    trees: &ComparedTrees,
) -> SyncStep {
    let path = file.path.clone();
    let own = match trees.path_here(&path) {
        Ok(own) => own,
        Err(why) => return refused(path, why),
    };
    let there = beneath(below, &path);
    let (action, row) = match (&file.what, direction) {
        (FileDifference::Clash(why), _) => return refused(path, why),
        (FileDifference::OnlyLocal { local, state }, Direction::Up { .. }) => {
            let source = PlanSource::Local(local.clone());
            (
                SyncAction::Create,
                PlanRow::new(source, there, Some(state.size)),
            )
        }
        (FileDifference::OnlyLocal { local, state }, Direction::Down { into, .. }) => {
            let deletion = Job::DeleteLocal {
                path: local.clone(),
                state: *state,
                up_to: trees.outermost_only_here(&path, into),
            };
            let source = PlanSource::Surplus(Box::new(deletion));
            let row = PlanRow::new(source, path.clone(), Some(state.size));
            (SyncAction::Delete, row)
        }
        (FileDifference::OnlyRemote { item, state }, Direction::Up { .. }) => {
            let deletion = Job::Delete {
                item: item.clone(),
                permanent: false,
                state: Some(state.clone()),
            };
            let source = PlanSource::Surplus(Box::new(deletion));
            let row = PlanRow::new(source, path.clone(), item.size);
            (SyncAction::Delete, row)
        }
        (FileDifference::OnlyRemote { item, .. }, Direction::Down { .. }) => {
            let source = PlanSource::Remote(item.clone());
            (SyncAction::Create, PlanRow::new(source, own, item.size))
        }
        (
            FileDifference::Differs {
                local,
                state,
                remote,
                seen,
                ..
            },
            Direction::Up { .. },
        ) => {
            let source = PlanSource::Local(local.clone());
            let there_now = Existing::Other(ExistingFile {
                item: Some(remote.clone()),
                size: remote.size,
                access: None,
                updated_at: None,
                seen: Some(seen.clone()),
                local: None,
            });
            let row = PlanRow::new(source, there, Some(state.size));
            (SyncAction::Replace, row.over(there_now))
        }
        (FileDifference::Differs { state, remote, .. }, Direction::Down { .. }) => {
            let source = PlanSource::Remote(remote.clone());
            let here = Existing::Other(ExistingFile {
                item: None,
                size: Some(state.size),
                access: None,
                updated_at: state.modified,
                seen: None,
                local: Some(*state),
            });
            let row = PlanRow::new(source, own, remote.size);
            (SyncAction::Replace, row.over(here))
        }
    };
    SyncStep::of_row(path, action, row)
}

fn refused(path: String, why: &str) -> SyncStep {
    let row = PlanRow::new(PlanSource::Unfit(why.to_owned()), path.clone(), None);
    SyncStep::of_row(path, SyncAction::Clash, row)
}

fn move_step(rename: &Rename) -> SyncStep {
    let shown = |path: &str| {
        if rename.is_folder {
            format!("{path}/")
        } else {
            path.to_owned()
        }
    };
    SyncStep {
        path: shown(&rename.to),
        from: Some(shown(&rename.from)),
        action: SyncAction::Move,
        size: None,
        items: 1,
        does: StepWork::Move(Box::new(rename.clone())),
    }
}

/// Deletes a folder that only the account has as a whole, with the files in it, unless it holds
/// something not compared.
fn delete_folders(folders: &SideFolders, deletions: &mut Vec<SyncStep>) {
    let mut whole: Vec<&str> = Vec::new();
    for (path, item) in &folders.only_here {
        let is_inside = whole.iter().any(|above| is_below(path, above));
        if !is_inside && !folders.holding.contains(path) && item.is_some() {
            whole.push(path);
        }
    }
    for path in whole {
        let Some((_, Some(item))) = folders.only_here.iter().find(|(folder, _)| folder == path)
        else {
            continue;
        };
        let inside = |step: &SyncStep| is_below(&step.path, path);
        let size = deletions
            .iter()
            .filter(|step| inside(step))
            .filter_map(|step| step.size)
            .sum();
        let folders_inside = folders
            .only_here
            .iter()
            .filter(|(folder, _)| is_below(folder, path));
        let ids =
            folders_inside.filter_map(|(_, item)| Some(item.as_ref()?.target.id().to_owned()));
        let states = deletions
            .extract_if(.., |step| inside(step))
            .filter_map(|step| match step.does {
                StepWork::Row(row) => match row.source {
                    PlanSource::Surplus(job) => match *job {
                        Job::Delete { state, .. } => state,
                        _ => None,
                    },
                    _ => None,
                },
                StepWork::Move(_) => None,
            });
        let files: Vec<String> = states.collect();
        let within: Vec<String> = ids.chain(files).collect();
        let items = 1 + within.len();
        let state = Some(folder_state(within));
        let job = Job::Delete {
            item: item.clone(),
            permanent: false,
            state,
        };
        let shown = format!("{path}/");
        let row = PlanRow::new(
            PlanSource::Surplus(Box::new(job)),
            shown.clone(),
            Some(size),
        );
        deletions.push(SyncStep {
            items,
            ..SyncStep::of_row(shown, SyncAction::Delete, row)
        });
    }
}

fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder)
        .is_some_and(|rest| rest.starts_with('/'))
}

fn beneath(below: &str, path: &str) -> String {
    if below.is_empty() {
        path.to_owned()
    } else {
        join(below, path)
    }
}
