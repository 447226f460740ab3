//! The steps of a sync as the rows of a plan, so that each can be reviewed and left out. What only
//! one side has is kept unless somebody chooses otherwise.

use std::collections::HashSet;

use super::ancestors::ancestors;
use super::folder_comparison::FolderComparison;
use super::plan::{Direction, Existing, PlanRow, PlanSource};
use super::sync::{StepWork, steps};
use super::tree_filter::is_hidden;

/// Returns the rows that make the target of `direction` like the other side, of the paths that
/// `is_chosen` accepts: first what cannot be sent, then what takes something away; what only the
/// target has is last.
pub fn rows(
    comparison: &FolderComparison,
    direction: &Direction,
    is_chosen: impl Fn(&str) -> bool,
) -> Vec<PlanRow> {
    let mut steps = steps(comparison, direction, "", true);
    steps.retain(|step| is_chosen(step.path.trim_end_matches('/')));
    let left_out = comparison.left_out.named();
    let left_out = left_out.filter(|(path, _)| is_chosen(path.trim_end_matches('/')));
    let mut rows: Vec<PlanRow> = left_out.map(PlanRow::left_out).collect();
    let mut named = HashSet::new();
    rows.extend(steps.into_iter().filter_map(|step| {
        // The screen looks for no renames.
        let StepWork::Row(mut row) = step.does else {
            return None;
        };
        row.is_hidden = matches!(row.source, PlanSource::Local(_)) && is_hidden(&row.name);
        if let Existing::Nothing { new_folder } = &mut row.there
            && !matches!(row.source, PlanSource::Surplus(_) | PlanSource::Unfit(_))
        {
            let depth = missing_depth(&step.path, comparison, direction);
            *new_folder = depth
                .and_then(|depth| folder_at(&row.name, depth))
                .filter(|folder| named.insert((*folder).to_owned()))
                .map(str::to_owned);
        }
        Some(*row)
    }));
    rows.sort_by_key(|row| match (&row.source, &row.there) {
        (PlanSource::Unfit(_), _) => 0,
        (_, Existing::Other(_)) => 1,
        (PlanSource::Surplus(_), _) => 3,
        _ => 2,
    });
    rows
}

/// Returns the number of folders above the outermost one that the target lacks on the way to a
/// path; `None` if it lacks none.
fn missing_depth(
    path: &str,
    comparison: &FolderComparison,
    direction: &Direction,
) -> Option<usize> {
    let is_missing = |folder: &&str| {
        let entry = comparison.entries.get(*folder);
        entry.is_some_and(|entry| match direction {
            Direction::Up { .. } => entry.there.is_none(),
            Direction::Down { .. } => entry.here.is_none(),
        })
    };
    ancestors(path).position(|folder| is_missing(&folder))
}

/// Returns the folder on the way to a name, or the name itself, below this number of folders.
fn folder_at(name: &str, depth: usize) -> Option<&str> {
    ancestors(name).chain([name]).nth(depth)
}
