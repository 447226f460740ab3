//! The table of panes.

use super::component::Component;
use super::{activity, comparison, details, files, limits, local, tasks, tree};
use crate::tui::state::Pane;

/// The panes, those that cover others first.
pub(crate) const PANES: [(Pane, &dyn Component); 8] = [
    (Pane::Comparison, &comparison::Comparison),
    (Pane::Tree, &tree::Tree),
    (Pane::Local, &local::Local),
    (Pane::Details, &details::Details),
    (Pane::List, &files::Files),
    (Pane::Tasks, &tasks::Tasks),
    (Pane::Limits, &limits::Limits),
    (Pane::Activity, &activity::Activity),
];

pub(crate) fn component(pane: Pane) -> &'static dyn Component {
    let row = PANES.iter().find(|(of, _)| *of == pane);
    row.map_or(&files::Files, |(_, component)| *component)
}
