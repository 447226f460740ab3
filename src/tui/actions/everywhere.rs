//! The actions that every view has.

use crate::tui::keymap::Action;
use crate::tui::pane::rule::Rule;

pub(super) fn rule(action: Action) -> Option<Rule> {
    Some(match action {
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
        | Action::ClearThumbnails => Rule::new(),
        _ => return None,
    })
}
