//! Makes one tree like another: the steps of a one-way sync, made from a comparison, and the jobs
//! for them. Plain data; nothing is read or changed here.

use std::collections::BTreeSet;

use serde::Serialize;

use super::folder_comparison::{ComparedEntry, EntryHere, FolderComparison, Likeness, Rename};
use super::item::Item;
use super::job::Job;
use super::plan::{Direction, Existing, ExistingFile, PlanChoice, PlanRow, PlanSource};
use super::seen_state::folder_state;
use crate::api::paths::join;

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

    /// Returns a warning about it; safe to show.
    pub fn warning(&self) -> Option<&str> {
        match &self.does {
            StepWork::Row(row) if self.action == SyncAction::Create => row.warning.as_deref(),
            _ => None,
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
    found: &FolderComparison,
    direction: &Direction,
    below: &str,
    delete: bool,
) -> Vec<SyncStep> {
    let above: BTreeSet<&str> = found.renames.iter().filter_map(Rename::above).collect();
    let is_missing = |folder: &&str| {
        let is_innermost = !above.iter().any(|other| is_below(other, folder));
        is_innermost && found.is_new_folder(folder)
    };
    let missing = above.iter().copied().filter(is_missing);
    let mut steps: Vec<SyncStep> = missing
        .map(|folder| new_folder(folder, beneath(below, folder)))
        .chain(found.renames.iter().map(move_step))
        .collect();
    let planner = Planner {
        found,
        direction,
        below,
    };
    let (mut folders, mut deletions, held) = (Vec::new(), Vec::new(), found.left_out.folders());
    let is_compared = |path: &str, entry: &ComparedEntry| {
        let is_empty = || entry.is_empty() && !held.contains(path) && !found.no_empty_folders;
        !found.left_out.covers(path) && (!entry.is_folder || is_empty())
    };
    let compared = found
        .entries
        .iter()
        .filter(|(path, entry)| is_compared(path, entry));
    for step in compared.filter_map(|(path, entry)| planner.step(path, entry)) {
        match step.action {
            SyncAction::Delete => deletions.push(step),
            SyncAction::CreateFolder => folders.push(step),
            _ => steps.push(step),
        }
    }
    steps.append(&mut folders);
    if delete && found.left_out.is_readable() {
        if matches!(direction, Direction::Up { .. }) {
            delete_folders(found, &mut deletions);
        }
        steps.append(&mut deletions);
    }
    steps
}

struct Planner<'a> {
    found: &'a FolderComparison,
    direction: &'a Direction,
    below: &'a str,
}

impl Planner<'_> {
    /// Returns the step for a file or an empty folder; `None` if there is nothing to do.
    fn step(&self, path: &str, entry: &ComparedEntry) -> Option<SyncStep> {
        if let Likeness::Refused(why) = &entry.likeness {
            // A folder of both sides stays as it is.
            let is_whole = entry.is_folder && entry.here.is_some() && entry.there.is_some();
            return (!is_whole).then(|| refused(path, why));
        }
        let own = match self.found.path_here(path) {
            Ok(own) => own,
            Err(why) => return Some(refused(path, why)),
        };
        let there_name = beneath(self.below, path);
        let ComparedEntry { here, there, .. } = entry;
        if entry.is_folder {
            return match (&entry.likeness, self.direction) {
                (Likeness::OnlyHere, Direction::Up { .. }) => Some(new_folder(path, there_name)),
                (Likeness::OnlyThere, Direction::Down { .. }) => Some(new_folder(path, own)),
                // Those that only the target has are deleted after what is in them.
                _ => None,
            };
        }
        let (action, row) = match (here, there, self.direction) {
            _ if entry.likeness == Likeness::Same => return None,
            (Some(here), None, Direction::Up { .. }) => {
                (SyncAction::Create, self.sent(here, there_name))
            }
            (Some(EntryHere::Disk(here)), None, Direction::Down { into, .. }) => {
                let deletion = Job::DeleteLocal {
                    path: here.local.clone(),
                    state: here.state?,
                    up_to: self.found.outermost_only_here(path, into),
                };
                let size = here.state.map(|state| state.size);
                (SyncAction::Delete, surplus(path, deletion, size))
            }
            (None, Some(there), Direction::Up { .. }) => {
                let deletion = Job::Delete {
                    item: there.item.clone(),
                    permanent: false,
                    state: there.state.clone(),
                };
                (SyncAction::Delete, surplus(path, deletion, there.item.size))
            }
            (None, Some(there), Direction::Down { .. }) => {
                let source = PlanSource::Remote(there.item.clone());
                let row = PlanRow::new(source, own, there.item.size);
                (SyncAction::Create, row)
            }
            (Some(here), Some(there), Direction::Up { .. }) => {
                let replaced = Existing::Other(ExistingFile::Remote(Box::new(there.clone())));
                (
                    SyncAction::Replace,
                    self.sent(here, there_name).over(replaced),
                )
            }
            (Some(EntryHere::Disk(here)), Some(there), Direction::Down { .. }) => {
                let source = PlanSource::Remote(there.item.clone());
                let replaced = Existing::Other(ExistingFile::Local(here.state?));
                let row = PlanRow::new(source, own, there.item.size).over(replaced);
                (SyncAction::Replace, row)
            }
            // Files of accounts are never on the side that a download changes.
            (Some(EntryHere::Account(_)), _, Direction::Down { .. }) | (None, None, _) => {
                return None;
            }
        };
        Some(SyncStep::of_row(path.to_owned(), action, row))
    }

    fn sent(&self, here: &EntryHere, name: String) -> PlanRow {
        match here {
            EntryHere::Disk(entry) => {
                PlanRow::new(PlanSource::Local(entry.local.clone()), name, here.size())
            }
            EntryHere::Account(entry) => {
                let account = self.found.account.as_deref();
                PlanRow::copy(account.unwrap_or_default(), entry, name)
            }
        }
    }
}

fn surplus(path: &str, deletion: Job, size: Option<u64>) -> PlanRow {
    let source = PlanSource::Surplus(Box::new(deletion));
    PlanRow::new(source, path.to_owned(), size)
}

fn new_folder(path: &str, name: String) -> SyncStep {
    let row = PlanRow::new(PlanSource::EmptyFolder, name, None);
    SyncStep::of_row(format!("{path}/"), SyncAction::CreateFolder, row)
}

fn refused(path: &str, why: &str) -> SyncStep {
    let row = PlanRow::new(PlanSource::Unfit(why.to_owned()), path.to_owned(), None);
    SyncStep::of_row(path.to_owned(), SyncAction::Clash, row)
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
fn delete_folders(found: &FolderComparison, deletions: &mut Vec<SyncStep>) {
    let holding = found.holding();
    let only_there = found.entries.iter().filter_map(|(path, entry)| {
        let is_alone = entry.is_folder && entry.likeness == Likeness::OnlyThere;
        Some((path.as_str(), &entry.there.as_ref()?.item)).filter(|_| is_alone)
    });
    let folders: Vec<(&str, &Item)> = only_there.collect();
    let mut whole: Vec<(&str, &Item)> = Vec::new();
    for (path, item) in &folders {
        let is_inside = whole.iter().any(|(above, _)| is_below(path, above));
        if !is_inside && !holding.contains(path) {
            whole.push((path, item));
        }
    }
    for (path, item) in whole {
        let inside = |step: &SyncStep| is_below(&step.path, path);
        let size = deletions
            .iter()
            .filter(|step| inside(step))
            .filter_map(|step| step.size)
            .sum();
        let ids = folders
            .iter()
            .filter(|(folder, _)| is_below(folder, path))
            .map(|(_, item)| item.target.id().to_owned());
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
        let deletion = Job::Delete {
            item: item.clone(),
            permanent: false,
            state: Some(folder_state(within)),
        };
        let shown = format!("{path}/");
        let row = surplus(&shown, deletion, Some(size));
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
