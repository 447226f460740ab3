//! The actions of a comparison.

use super::update;
use crate::tui::keymap::Action;
use crate::tui::pane::action_row::{ActionRow, Availability, key};
use crate::tui::state::{Comparing, ComparingStage, State};

pub(crate) fn row(action: Action) -> Option<ActionRow> {
    Some(match action {
        Action::Compare | Action::Refresh => ActionRow::run_with(update::start),
        Action::Open => ActionRow::run(update::enter).when(is_on_folder),
        Action::Leave => ActionRow::run(update::go_up).when(is_inside),
        Action::Back => ActionRow::run(update::back),
        Action::Mark | Action::MarkAll | Action::MarkInvert | Action::MarkRange => {
            ActionRow::run_with(mark).when(has_row)
        }
        Action::ToggleSame => ActionRow::run(|state| change_rows(state, Comparing::toggle_same)),
        Action::ToggleHidden => ActionRow::run(update::toggle_hidden),
        Action::Upload | Action::Save => ActionRow::run_with(update::transfer)
            .writes_there()
            .on_rows(has_row),
        Action::MakeThereLikeHere | Action::MakeHereLikeThere => {
            ActionRow::run_with(update::make_alike).writes_there()
        }
        _ => return None,
    })
}

fn mark(state: &mut State, action: Action) {
    change_rows(state, |comparing| comparing.list.mark_by(action));
}

fn change_rows(state: &mut State, change: impl FnOnce(&mut Comparing)) {
    if let Some(comparing) = state.mode.comparing_mut() {
        change(comparing);
    }
}

fn has_row(state: &State, _: Action) -> Availability {
    let comparing = state.mode.comparing();
    let is_empty = comparing.is_none_or(|comparing| comparing.list.rows().is_empty());
    Availability::unless(is_empty, "", "There is nothing here.")
}

fn is_on_folder(state: &State, _: Action) -> Availability {
    let current = state.mode.comparing().and_then(Comparing::current);
    let is_folder = current.is_some_and(|(_, entry)| entry.is_folder);
    Availability::unless(
        !is_folder,
        "for folders only",
        "Only folders can be opened here.",
    )
}

fn is_inside(state: &State, _: Action) -> Availability {
    let comparing = state.mode.comparing();
    let is_top = comparing.is_none_or(|comparing| comparing.at.is_empty());
    let sentence = format!(
        "This is the top of the comparison: {} leaves it.",
        key(state, Action::Back)
    );
    Availability::unless(is_top, "at the top", sentence)
}

/// The most used actions, for hints, help and palette.
pub(crate) const USUAL: &[Action] = &[
    Action::MakeThereLikeHere,
    Action::MakeHereLikeThere,
    Action::Back,
    Action::Mark,
    Action::Upload,
    Action::Save,
    Action::ToggleSame,
    Action::Compare,
    Action::ToggleHidden,
    Action::MarkAll,
    Action::Open,
    Action::Leave,
    Action::MoveTop,
    Action::MoveBottom,
    Action::ToggleTasks,
    Action::Find,
    Action::Palette,
    Action::Quit,
];

/// The actions that the state of the comparison calls for.
pub(crate) fn called_for(state: &State) -> Vec<Action> {
    let comparing = state.mode.comparing();
    let is_read = comparing.is_some_and(|comparing| comparing.stage == ComparingStage::Read);
    match state.mode.other_account() {
        _ if !is_read => vec![Action::Back, Action::Compare],
        // Their hints name the accounts, and leave little room.
        Some(_) => vec![Action::Upload, Action::Save],
        None => Vec::new(),
    }
}
