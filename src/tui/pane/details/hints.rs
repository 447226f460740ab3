//! The actions that hints, help and palette name first in the details.

use crate::engine::preview::PreviewKind;
use crate::tui::keymap::Action;
use crate::tui::pane::files;
use crate::tui::state::{Pane, Row, State};

/// The most used actions, for hints, help and palette.
pub(crate) const USUAL: &[Action] = &[
    Action::ScrollDown,
    Action::ScrollUp,
    Action::Zoom,
    Action::TogglePreview,
    Action::ToggleSource,
    Action::Save,
    Action::LinkAuto,
    Action::LinkPath,
    Action::Browse,
    Action::Delete,
    Action::EditAccess,
    Action::EditText,
    Action::Replace,
    Action::Rename,
    Action::FileDuplicates,
    Action::NextPane,
    Action::Palette,
    Action::Quit,
    Action::Filter,
    Action::Find,
    Action::Upload,
    Action::NewFolder,
    Action::Import,
    Action::ToggleTree,
    Action::ToggleLocal,
    Action::Compare,
    Action::ToggleGrid,
    Action::SortName,
    Action::GoRoot,
    Action::Refresh,
    Action::Cut,
    Action::SaveAs,
    Action::Purge,
];

/// The actions that the state of the pane calls for.
pub(crate) fn called_for(state: &State) -> Vec<Action> {
    if is_document(state) {
        of_document(state)
    } else {
        files::hints::called_for(state)
    }
}

pub(crate) fn is_document(state: &State) -> bool {
    let is_file = state.files.listing.current().is_some_and(Row::is_file);
    state.panes.zoomed && state.focus == Pane::Details && is_file && !state.mode.has_two_lists()
}

fn of_document(state: &State) -> Vec<Action> {
    let row = state.files.listing.current();
    let kind = row.map(|row| PreviewKind::of(row.extension(), row.kind.as_ref()));
    let is_text = matches!(
        kind,
        Some(PreviewKind::Text | PreviewKind::Markdown | PreviewKind::Table)
    );
    let mut actions = vec![Action::Back, Action::LinkAuto, Action::Save];
    actions.extend(is_text.then_some(Action::EditText));
    actions.extend((kind == Some(PreviewKind::Markdown)).then_some(Action::ToggleSource));
    actions.extend([
        Action::EditAccess,
        Action::Replace,
        Action::Delete,
        Action::Browse,
    ]);
    actions
}
