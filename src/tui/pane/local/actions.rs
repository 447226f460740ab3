//! The actions of the local list and of the details of its row.

use super::{choosing, update};
use crate::tui::keymap::Action;
use crate::tui::pane::action_row::{ActionRow, Availability, key};
use crate::tui::pane::files::actions::into_folder;
use crate::tui::state::State;

pub(crate) fn row(action: Action) -> Option<ActionRow> {
    Some(match action {
        Action::Open => ActionRow::run(update::enter).when(has_row),
        Action::Leave => ActionRow::run(update::leave),
        Action::Mark => ActionRow::run_with(mark).on_rows(has_row),
        Action::MarkAll | Action::MarkInvert | Action::MarkRange => ActionRow::run_with(mark),
        Action::Filter => ActionRow::run(update::open_filter),
        Action::ToggleHidden => ActionRow::run(update::toggle_hidden),
        Action::SortName
        | Action::SortSize
        | Action::SortKind
        | Action::SortUpdated
        | Action::SortReverse => ActionRow::run_with(update::sort),
        Action::Refresh => ActionRow::run(update::refresh),
        Action::Back => ActionRow::run(update::back),
        Action::Upload => ActionRow::run(update::send).writes().on_rows(can_send),
        _ => return None,
    })
}

fn mark(state: &mut State, action: Action) {
    state.local_side.list.mark_by(action);
}

/// The actions that differ while files are chosen for a dialog.
pub(crate) fn of_choosing(action: Action) -> Option<ActionRow> {
    Some(match action {
        Action::Choose | Action::Upload => ActionRow::run(update::choose).when(can_choose),
        Action::Open => ActionRow::run(update::enter).when(can_choose),
        Action::Mark | Action::MarkAll | Action::MarkInvert | Action::MarkRange => {
            ActionRow::run_with(mark).on_rows(can_mark)
        }
        Action::Quit => ActionRow::of_screen().when(keeps_dialog),
        _ => return None,
    })
}

fn can_choose(state: &State, action: Action) -> Availability {
    has_row(state, action).and(|| choosing::can_choose(state))
}

fn can_mark(state: &State, action: Action) -> Availability {
    has_row(state, action).and(|| choosing::can_mark(state, action))
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

/// The most used actions, for hints, help and palette.
pub(crate) const USUAL: &[Action] = &[
    Action::Open,
    Action::Leave,
    Action::MakeThereLikeHere,
    Action::MakeHereLikeThere,
    Action::Upload,
    Action::NextPane,
    Action::Compare,
    Action::ToggleLocal,
    Action::Mark,
    Action::MarkRange,
    Action::MarkAll,
    Action::Filter,
    Action::ToggleHidden,
    Action::SortName,
    Action::SortUpdated,
    Action::ToggleDetails,
    Action::Zoom,
    Action::Refresh,
    Action::Palette,
    Action::Quit,
];

/// The most used actions while files are chosen for a dialog.
pub(crate) const USUAL_OF_CHOOSING: &[Action] = &[
    Action::Choose,
    Action::Mark,
    Action::MarkRange,
    Action::MarkAll,
    Action::MarkInvert,
    Action::Open,
    Action::Leave,
    Action::Filter,
    Action::ToggleHidden,
    Action::SortName,
    Action::SortSize,
    Action::SortUpdated,
    Action::SortReverse,
    Action::MoveTop,
    Action::MoveBottom,
    Action::Refresh,
    Action::Quit,
];

/// The actions that the state of the list calls for.
pub(crate) fn called_for(state: &State) -> Vec<Action> {
    let side = &state.local_side;
    match () {
        () if state.mode.is_choosing() && side.choosing_enters() => {
            vec![Action::Choose, Action::Mark, Action::Back]
        }
        () if state.mode.is_choosing() => {
            vec![Action::Choose, Action::Mark, Action::Back, Action::Open]
        }
        () if side.list.filter.is_some()
            || side.list.has_range()
            || side.has_marks()
            || state.panes.zoomed =>
        {
            vec![Action::Back]
        }
        () => Vec::new(),
    }
}
