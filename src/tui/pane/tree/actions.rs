//! The actions of the tree of folders.

use crate::tui::keymap::Action;
use crate::tui::pane::command::Command;
use crate::tui::pane::files::actions::has_rows;
use crate::tui::pane::files::link;

pub(crate) fn command(action: Action) -> Option<Command> {
    matches!(action, Action::LinkPath | Action::LinkId | Action::LinkName)
        .then(|| Command::run_with(link::copy).on_rows(has_rows))
}
