//! The actions of the tree of folders.

use crate::tui::keymap::Action;
use crate::tui::pane::action_row::ActionRow;
use crate::tui::pane::files::actions::has_rows;
use crate::tui::pane::files::link;

pub(crate) fn row(action: Action) -> Option<ActionRow> {
    matches!(action, Action::LinkPath | Action::LinkId | Action::LinkName)
        .then(|| ActionRow::run_with(link::copy).on_rows(has_rows))
}

/// The most used actions, for hints, help and palette.
pub(crate) const USUAL: &[Action] = &[
    Action::Open,
    Action::Leave,
    Action::Find,
    Action::Upload,
    Action::LinkPath,
    Action::Delete,
    Action::Rename,
    Action::NewFolder,
    Action::Cut,
    Action::Paste,
    Action::ToggleLocal,
    Action::GoPath,
    Action::SetBookmark,
    Action::Bookmarks,
    Action::NextPane,
    Action::ToggleTree,
    Action::Palette,
    Action::Quit,
    Action::Filter,
    Action::Import,
    Action::Compare,
    Action::SortName,
    Action::GoRoot,
    Action::Refresh,
];
