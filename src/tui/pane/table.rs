//! The table of panes.

use super::component::Component;
use super::{activity, comparison, details, files, limits, local, tasks, tree};
use crate::tui::state::Pane;

/// The panes, those that cover others first.
pub(crate) const PANES: [(Pane, &dyn Component); 8] = [
    (Pane::Comparison, &comparison::ComparisonComponent),
    (Pane::Tree, &tree::TreeComponent),
    (Pane::Local, &local::LocalComponent),
    (Pane::Details, &details::DetailsComponent),
    (Pane::List, &files::FilesComponent),
    (Pane::Tasks, &tasks::TasksComponent),
    (Pane::Limits, &limits::LimitsComponent),
    (Pane::Activity, &activity::ActivityComponent),
];

pub(crate) fn component(pane: Pane) -> &'static dyn Component {
    let row = PANES.iter().find(|(of, _)| *of == pane);
    row.map_or(&files::FilesComponent, |(_, component)| *component)
}
