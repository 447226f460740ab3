//! The actions on the folder under the cursor of the tree.

use super::files::has_rows;
use super::rule::Rule;
use crate::tui::keymap::Action;

pub(super) fn rule(action: Action) -> Option<Rule> {
    matches!(action, Action::LinkPath | Action::LinkId | Action::LinkName)
        .then(|| Rule::new().on_rows(has_rows))
}
