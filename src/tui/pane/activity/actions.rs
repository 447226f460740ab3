//! The actions of the activity view.

use crate::tui::keymap::Action;
use crate::tui::pane::rule::{Availability, Rule};
use crate::tui::state::State;

pub(in crate::tui) fn rule(action: Action) -> Option<Rule> {
    Some(match action {
        Action::Open | Action::CopyMessage => Rule::new().on_rows(has_row),
        _ => return None,
    })
}

fn has_row(state: &State, _: Action) -> Availability {
    let is_empty = state.activity.selected().is_none();
    Availability::unless(is_empty, "no message", "There is no message yet.")
}
