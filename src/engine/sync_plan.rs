//! The steps of a sync as the rows of a plan, so that each can be reviewed and left out. What only
//! one side has is kept unless somebody chooses otherwise.

use std::collections::HashSet;

use super::ancestors::ancestors;
use super::folder_comparison::{ComparedEntry, EntryThere, FolderComparison};
use super::job::{Job, Room};
use super::plan::{Existing, ExistingFile, PlanRow, PlanSource};
use super::seen_state::LocalState;
use super::sync::{StepWork, SyncAction, SyncStep, SyncTarget, steps};
use super::tree_filter::is_hidden;

/// Returns the rows that make `target` like the other side, of the paths that `is_chosen` accepts:
/// first what cannot be sent, then what takes something away; what only `target` has is last.
pub fn rows(
    comparison: &FolderComparison,
    target: &SyncTarget,
    is_chosen: impl Fn(&str) -> bool,
) -> Vec<PlanRow> {
    let mut steps = steps(&comparison.trees, target, true);
    steps.retain(|step| is_chosen(step.path.trim_end_matches('/')));
    let left_out = comparison.trees.left_out.named();
    let left_out = left_out.filter(|(path, _)| is_chosen(path.trim_end_matches('/')));
    let mut rows: Vec<PlanRow> = left_out.map(PlanRow::left_out).collect();
    let mut named = HashSet::new();
    rows.extend(steps.into_iter().filter_map(|step| {
        let path = step.path.clone();
        let mut row = row(step, comparison)?;
        if let Existing::Nothing { new_folder } = &mut row.there
            && !matches!(row.source, PlanSource::Surplus(_) | PlanSource::Unfit(_))
        {
            let depth = missing_depth(&path, comparison, target);
            *new_folder = depth
                .and_then(|depth| folder_at(&row.name, depth))
                .filter(|folder| named.insert((*folder).to_owned()))
                .map(str::to_owned);
        }
        Some(row)
    }));
    rows.sort_by_key(|row| match (&row.source, &row.there) {
        (PlanSource::Unfit(_), _) => 0,
        (_, Existing::Other(_)) => 1,
        (PlanSource::Surplus(_), _) => 3,
        _ => 2,
    });
    rows
}

/// Returns the number of folders above the outermost one that `target` lacks on the way to a path;
/// `None` if it lacks none.
fn missing_depth(path: &str, comparison: &FolderComparison, target: &SyncTarget) -> Option<usize> {
    let is_missing = |folder: &str| {
        let entry = comparison.entries.get(folder);
        entry.is_some_and(|entry| match target {
            SyncTarget::Remote { .. } => entry.there.is_none(),
            SyncTarget::Local(_) => entry.here.is_none(),
        })
    };
    ancestors(path).position(is_missing)
}

/// Returns the folder on the way to a name, or the name itself, below this number of folders.
fn folder_at(name: &str, depth: usize) -> Option<&str> {
    ancestors(name).chain([name]).nth(depth)
}

fn row(step: SyncStep, comparison: &FolderComparison) -> Option<PlanRow> {
    let name = step.path.trim_end_matches('/').to_owned();
    let entry = comparison.entries.get(&name);
    let is_folder = step.action == SyncAction::Delete && step.path.ends_with('/');
    let mut shown = if is_folder { step.path } else { name.clone() };
    let (source, there) = match step.does {
        StepWork::Refused(why) => (PlanSource::Unfit(why), nothing()),
        // The screen's comparison looks for no renames.
        StepWork::Move(_) => return None,
        StepWork::Job(job) => match *job {
            job @ (Job::Delete { .. } | Job::DeleteLocal { .. }) => {
                (PlanSource::Surplus(Box::new(job)), nothing())
            }
            Job::Upload { local, .. } => (PlanSource::Local(local), nothing()),
            Job::Replace { local, seen, .. } => (PlanSource::Local(local), there(entry, seen)),
            Job::Download {
                file, name, room, ..
            } => {
                shown = name.unwrap_or(shown);
                (
                    PlanSource::Remote(file),
                    if let Room::Over(state) = room {
                        here(state)
                    } else {
                        nothing()
                    },
                )
            }
            Job::CreateLocalFolder { name, .. } => {
                shown = name;
                (PlanSource::EmptyFolder, nothing())
            }
            Job::CreateFolder { .. } => (PlanSource::EmptyFolder, nothing()),
            _ => return None,
        },
    };
    let is_hidden = matches!(source, PlanSource::Local(_)) && is_hidden(&shown);
    Some(PlanRow {
        source,
        name: shown,
        size: step.size,
        there,
        elsewhere: None,
        warning: None,
        is_hidden,
    })
}

fn nothing() -> Existing {
    Existing::Nothing { new_folder: None }
}

fn there(entry: Option<&ComparedEntry>, seen: Option<String>) -> Existing {
    let Some(EntryThere {
        item,
        updated_at,
        access,
        ..
    }) = entry.and_then(|entry| entry.there.clone())
    else {
        return nothing();
    };
    Existing::Other(ExistingFile {
        size: item.size,
        item: Some(item),
        access,
        updated_at,
        seen,
        local: None,
    })
}

fn here(state: LocalState) -> Existing {
    let (size, updated_at) = (Some(state.size), state.modified);
    Existing::Other(ExistingFile {
        item: None,
        size,
        access: None,
        updated_at,
        seen: None,
        local: Some(state),
    })
}
