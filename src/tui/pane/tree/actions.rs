//! The actions on the folder under the cursor of the tree.

use crate::tui::keymap::Action;
use crate::tui::pane::files::actions::has_rows;
use crate::tui::pane::rule::Rule;

pub(in crate::tui) fn rule(action: Action) -> Option<Rule> {
    matches!(action, Action::LinkPath | Action::LinkId | Action::LinkName)
        .then(|| Rule::new().on_rows(has_rows))
}
