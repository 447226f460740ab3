//! The actions of the local list and of the details of its row.

use super::update;
use crate::tui::keymap::Action;
use crate::tui::pane::command::{Availability, Command, key};
use crate::tui::pane::files::actions::into_folder;
use crate::tui::state::State;

pub(crate) fn command(action: Action) -> Option<Command> {
    Some(match action {
        Action::Open => Command::run(update::enter).when(has_row),
        Action::Leave => Command::run(update::leave),
        Action::Mark => Command::run_with(mark).on_rows(has_row),
        Action::MarkAll | Action::MarkInvert | Action::MarkRange => Command::run_with(mark),
        Action::Filter => Command::run(update::open_filter),
        Action::ToggleHidden => Command::run(update::toggle_hidden),
        Action::SortName
        | Action::SortSize
        | Action::SortKind
        | Action::SortUpdated
        | Action::SortReverse => Command::run_with(update::sort),
        Action::Refresh => Command::run(update::refresh),
        Action::Back => Command::run(update::back),
        Action::Upload => Command::run(update::send).writes().on_rows(can_send),
        _ => return None,
    })
}

fn mark(state: &mut State, action: Action) {
    state.local_side.list.mark_by(action);
}

/// The actions that differ while files are chosen for a dialog.
pub(crate) fn of_choosing(action: Action) -> Option<Command> {
    Some(match action {
        Action::Choose | Action::Upload => Command::run(update::choose).when(has_row),
        Action::Quit => Command::of_screen().when(keeps_dialog),
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
