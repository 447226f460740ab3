//! The actions of the local list and of the details of its row.

use crate::tui::denied_actions::Capability;
use crate::tui::keymap::Action;
use crate::tui::pane::files::actions::into_folder;
use crate::tui::pane::rule::{Availability, Rule, key};
use crate::tui::state::State;

pub(in crate::tui) fn rule(action: Action) -> Option<Rule> {
    Some(match action {
        Action::Open => Rule::new().when(has_row),
        Action::Leave
        | Action::MarkAll
        | Action::MarkInvert
        | Action::MarkRange
        | Action::Filter
        | Action::ToggleHidden
        | Action::SortName
        | Action::SortSize
        | Action::SortKind
        | Action::SortUpdated
        | Action::SortReverse
        | Action::Refresh
        | Action::Back => Rule::new(),
        Action::Mark => Rule::new().on_rows(has_row),
        Action::Upload => Rule::new().needs(Capability::Write).on_rows(can_send),
        _ => return None,
    })
}

/// The actions that differ while files are chosen for a dialog.
pub(in crate::tui) fn of_choosing(action: Action) -> Option<Rule> {
    Some(match action {
        Action::Choose | Action::Upload => Rule::new().when(has_row),
        Action::Quit => Rule::new().when(keeps_dialog),
        _ => return None,
    })
}

/// Quitting would lose what was typed in the dialog.
fn keeps_dialog(state: &State, _: Action) -> Availability {
    let key = key(state, Action::Back);
    let sentence = format!("A dialog waits for your choice: {key} goes back to it.");
    Availability::unless(true, "choosing files", sentence)
}

fn has_row(state: &State, _: Action) -> Availability {
    let is_empty = state.local_side.current().is_none() && !state.local_side.has_marks();
    Availability::unless(is_empty, "", "There is nothing here.")
}

fn can_send(state: &State, action: Action) -> Availability {
    let is_empty = state.local_side.current().is_none() && !state.local_side.has_marks();
    Availability::unless(is_empty, "", "There is nothing here to upload.")
        .and(|| into_folder(state, action))
}
