//! The actions that every pane has, even while files are chosen for a dialog.

use crate::tui::keymap::Action;
use crate::tui::pane::rule::Rule;

pub(super) fn rule(action: Action) -> Option<Rule> {
    Some(match action {
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
        | Action::Interrupt => Rule::new(),
        _ => return None,
    })
}
