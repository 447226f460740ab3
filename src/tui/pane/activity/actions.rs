//! The actions of the messages.

use super::update;
use crate::tui::keymap::Action;
use crate::tui::pane::action_row::{ActionRow, Availability};
use crate::tui::state::State;

pub(crate) fn row(action: Action) -> Option<ActionRow> {
    Some(match action {
        Action::Open => ActionRow::run(update::open).on_rows(has_row),
        Action::CopyMessage => ActionRow::run(update::copy).on_rows(has_row),
        _ => return None,
    })
}

fn has_row(state: &State, _: Action) -> Availability {
    let is_empty = state.activity.selected().is_none();
    Availability::unless(is_empty, "no message", "There is no message yet.")
}

/// The most used actions, for hints, help and palette.
pub(crate) const USUAL: &[Action] = &[
    Action::MoveDown,
    Action::MoveUp,
    Action::MoveTop,
    Action::MoveBottom,
    Action::PageDown,
    Action::PageUp,
    Action::CopyMessage,
    Action::ViewFiles,
    Action::ViewTasks,
    Action::ViewLimits,
    Action::Find,
    Action::Deletions,
    Action::UnsavedEdits,
    Action::Accounts,
    Action::Settings,
    Action::Refresh,
    Action::Palette,
    Action::Quit,
];
