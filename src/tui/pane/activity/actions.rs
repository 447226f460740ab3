//! The actions of the messages.

use super::update;
use crate::tui::keymap::Action;
use crate::tui::pane::command::{Availability, Command};
use crate::tui::state::State;

pub(crate) fn command(action: Action) -> Option<Command> {
    Some(match action {
        Action::Open => Command::run(update::open).on_rows(has_row),
        Action::CopyMessage => Command::run(update::copy).on_rows(has_row),
        _ => return None,
    })
}

fn has_row(state: &State, _: Action) -> Availability {
    let is_empty = state.activity.selected().is_none();
    Availability::unless(is_empty, "no message", "There is no message yet.")
}
