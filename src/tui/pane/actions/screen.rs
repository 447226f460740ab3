//! The actions of the screen as a whole, which `tui::update` performs.

use crate::tui::keymap::Action;
use crate::tui::pane::action_row::ActionRow;

/// The actions of every pane, even while files are chosen for a dialog.
pub(in crate::tui) fn always(action: Action) -> Option<ActionRow> {
    matches!(
        action,
        Action::MoveDown
            | Action::MoveUp
            | Action::MoveTop
            | Action::MoveBottom
            | Action::HalfPageDown
            | Action::HalfPageUp
            | Action::PageDown
            | Action::PageUp
            | Action::Redraw
            | Action::Suspend
            | Action::Help
            | Action::Quit
            | Action::Interrupt
    )
    .then(ActionRow::of_screen)
}

/// The actions of every view.
pub(in crate::tui) fn everywhere(action: Action) -> Option<ActionRow> {
    matches!(
        action,
        Action::ViewFiles
            | Action::ViewTasks
            | Action::ViewLimits
            | Action::ViewActivity
            | Action::ToggleTasks
            | Action::Find
            | Action::Accounts
            | Action::Palette
            | Action::Settings
            | Action::Themes
            | Action::Back
            | Action::Refresh
            | Action::Deletions
            | Action::Tour
            | Action::UnsavedEdits
            | Action::ClearThumbnails
    )
    .then(ActionRow::of_screen)
}
