//! Makes one tree like another: the steps of a one-way sync, made from a comparison, and the jobs
//! for them. Plain data; nothing is read or changed here.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::Serialize;

use super::ancestors::ancestors;
use super::disk_name::path_to_disk;
use super::item::{FolderRef, Item};
use super::job::{Job, Room};
use super::left_out::LeftOut;
use super::relocation::relocation;
use super::seen_state::{LocalState, folder_state};
use super::sending::Sending;
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
    /// Returns the folder that it moves into; `None` for the top.
    pub fn above(&self) -> Option<&str> {
        Some(self.to.rsplit_once('/')?.0)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum SyncTarget {
    /// The folder of the account at `below` in `into`; `below` is the part that is yet to be
    /// created.
    Remote {
        into: FolderRef,
        below: String,
        options: Box<Sending>,
        asked_at: Timestamp,
    },
    /// A folder of this machine.
    Local(PathBuf),
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
    Job(Box<Job>),
    /// A move into a folder that may have to be created first.
    Move(Box<Rename>),
    /// It cannot be done, for this reason.
    Refused(String),
}

/// Returns the steps that make `target` like the other side: first moves, after the folders that
/// they need, and deletions last. Without `delete` it
/// keeps what only it has, and also if something could not be read: nobody knows what is gone then.
pub fn steps(trees: &ComparedTrees, target: &SyncTarget, delete: bool) -> Vec<SyncStep> {
    let above: BTreeSet<&str> = trees.renames.iter().filter_map(Rename::above).collect();
    let is_missing = |folder: &&str| {
        let is_innermost = !above.iter().any(|other| is_below(other, folder));
        is_innermost && trees.local_folders.has_alone(folder)
    };
    let missing = above.iter().copied().filter(is_missing);
    let mut steps: Vec<SyncStep> = missing
        .map(|folder| new_folder(folder, folder, target))
        .chain(trees.renames.iter().map(move_step))
        .collect();
    let mut deletions = Vec::new();
    for file in &trees.files {
        match step(file, target, trees) {
            Some(step) if step.action == SyncAction::Delete => deletions.push(step),
            step => steps.extend(step),
        }
    }
    let source = match target {
        SyncTarget::Remote { .. } => &trees.local_folders,
        SyncTarget::Local(_) => &trees.remote_folders,
    };
    let new = source
        .only_here
        .iter()
        .filter(|(path, _)| source.empty.contains(path));
    steps.extend(new.map(|(path, _)| match (target, trees.path_here(path)) {
        (SyncTarget::Local(_), Err(why)) => refused(path.clone(), why),
        (SyncTarget::Local(_), Ok(own)) => new_folder(path, &own, target),
        (SyncTarget::Remote { .. }, _) => new_folder(path, path, target),
    }));
    if delete && trees.left_out.is_readable() {
        if let SyncTarget::Remote { .. } = target {
            delete_folders(&trees.remote_folders, &mut deletions);
        }
        steps.append(&mut deletions);
    }
    steps
}

fn step(file: &ComparedFile, target: &SyncTarget, trees: &ComparedTrees) -> Option<SyncStep> {
    let path = file.path.clone();
    let own = match trees.path_here(&path) {
        Ok(own) => own,
        Err(why) => return Some(refused(path, why)),
    };
    let done = |action, size, job| {
        Some(SyncStep {
            path: path.clone(),
            from: None,
            action,
            size,
            items: 1,
            does: StepWork::Job(Box::new(job)),
        })
    };
    match (&file.what, target) {
        (FileDifference::Clash(why), _) => Some(refused(path, why)),
        (
            FileDifference::OnlyLocal { local, state },
            SyncTarget::Remote {
                into,
                below,
                options,
                asked_at,
            },
        ) => {
            let upload = Job::Upload {
                local: local.clone(),
                into: into.clone(),
                name: Some(beneath(below, &file.path)),
                options: (**options).clone(),
                present: true,
                free_at: Some(*asked_at),
            };
            done(SyncAction::Create, Some(state.size), upload)
        }
        (FileDifference::OnlyLocal { local, state }, SyncTarget::Local(into)) => {
            let deletion = Job::DeleteLocal {
                path: local.clone(),
                state: *state,
                up_to: trees.outermost_only_here(&path, into),
            };
            done(SyncAction::Delete, Some(state.size), deletion)
        }
        (FileDifference::OnlyRemote { item, state }, SyncTarget::Remote { .. }) => {
            let deletion = Job::Delete {
                item: item.clone(),
                permanent: false,
                state: Some(state.clone()),
            };
            done(SyncAction::Delete, item.size, deletion)
        }
        (FileDifference::OnlyRemote { item, .. }, SyncTarget::Local(into)) => done(
            SyncAction::Create,
            item.size,
            download(item, into, own, Room::Free),
        ),
        (
            FileDifference::Differs {
                local,
                state,
                remote,
                seen,
                ..
            },
            SyncTarget::Remote { options, .. },
        ) => {
            let (seen, charset) = (Some(seen.clone()), options.charset.clone());
            let replace = Job::Replace {
                local: local.clone(),
                file: remote.clone(),
                seen,
                charset,
                access: None,
            };
            done(SyncAction::Replace, Some(state.size), replace)
        }
        (FileDifference::Differs { state, remote, .. }, SyncTarget::Local(into)) => done(
            SyncAction::Replace,
            remote.size,
            download(remote, into, own, Room::Over(*state)),
        ),
    }
}

fn refused(path: String, why: &str) -> SyncStep {
    let does = StepWork::Refused(why.to_owned());
    SyncStep {
        path,
        from: None,
        action: SyncAction::Clash,
        size: None,
        items: 1,
        does,
    }
}

fn download(file: &Item, into: &Path, name: String, room: Room) -> Job {
    Job::Download {
        file: file.clone(),
        into: into.to_owned(),
        name: Some(name),
        room,
    }
}

/// Returns the step that creates a folder, whose path on the target's side is `own`.
fn new_folder(path: &str, own: &str, target: &SyncTarget) -> SyncStep {
    let job = match target {
        SyncTarget::Remote { into, below, .. } => Job::CreateFolder {
            parent: into.clone(),
            name: beneath(below, own),
        },
        SyncTarget::Local(into) => Job::CreateLocalFolder {
            into: into.clone(),
            name: own.to_owned(),
        },
    };
    let does = StepWork::Job(Box::new(job));
    SyncStep {
        path: format!("{path}/"),
        from: None,
        action: SyncAction::CreateFolder,
        size: None,
        items: 1,
        does,
    }
}

impl SyncStep {
    /// Turns a move into a job; `into` is the folder that the item is in from then on.
    pub fn moved_into(self, rename: &Rename, into: &FolderRef) -> Result<Self, Error> {
        let name = rename
            .to
            .rsplit_once('/')
            .map_or(rename.to.as_str(), |(_, name)| name);
        let job = relocation(&rename.item, into, Some(name))?;
        Ok(Self {
            does: StepWork::Job(Box::new(job)),
            ..self
        })
    }
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
        let files = deletions
            .extract_if(.., |step| inside(step))
            .filter_map(|step| match step.does {
                StepWork::Job(job) => {
                    if let Job::Delete { state, .. } = *job {
                        state
                    } else {
                        None
                    }
                }
                StepWork::Move(_) | StepWork::Refused(_) => None,
            });
        let within: Vec<String> = ids.chain(files).collect();
        let items = 1 + within.len();
        let state = Some(folder_state(within));
        let job = Job::Delete {
            item: item.clone(),
            permanent: false,
            state,
        };
        let does = StepWork::Job(Box::new(job));
        deletions.push(SyncStep {
            path: format!("{path}/"),
            from: None,
            action: SyncAction::Delete,
            size: Some(size),
            items,
            does,
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
