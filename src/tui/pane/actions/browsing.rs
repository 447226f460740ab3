//! The actions of all panes of the files view, the account's and the local ones.

use crate::tui::keymap::Action;
use crate::tui::pane::action_row::{ActionRow, Availability, key};
use crate::tui::pane::{comparison, details, layout, local};
use crate::tui::state::State;

pub(in crate::tui) fn row(action: Action) -> Option<ActionRow> {
    Some(match action {
        Action::NextPane | Action::PreviousPane => ActionRow::run_with(layout::step_focus),
        Action::Zoom => ActionRow::run(layout::toggle_zoom),
        Action::ResetPanes => ActionRow::run(layout::reset_sizes),
        Action::WidenPane | Action::NarrowPane | Action::RaiseStrip | Action::LowerStrip => {
            ActionRow::run_with(layout::resize)
        }
        Action::ToggleTree => ActionRow::run(layout::toggle_tree).when(has_room_for_tree),
        Action::ToggleLocal => ActionRow::run(local::update::toggle),
        Action::ToggleDetails => ActionRow::run(layout::toggle_details),
        Action::TogglePreview => ActionRow::run(details::update::toggle),
        Action::ToggleSource => ActionRow::run(details::update::toggle_source),
        Action::NextPage | Action::PreviousPage => ActionRow::run_with(details::update::turn_page),
        Action::ScrollDown | Action::ScrollUp => ActionRow::run_with(details::update::scroll),
        Action::Compare => ActionRow::run_with(comparison::update::start).when(in_folder),
        Action::MakeThereLikeHere | Action::MakeHereLikeThere => {
            ActionRow::run_with(comparison::update::make_alike)
                .writes_there()
                .when(has_two_lists)
        }
        _ => return None,
    })
}

fn has_room_for_tree(state: &State, _: Action) -> Availability {
    let is_covered = state.mode.has_two_lists() && !state.panes.plain;
    let key = key(state, Action::ToggleLocal);
    let list = if state.mode.has_local_list() {
        "This machine's files"
    } else {
        "The other account's files"
    };
    let sentence = format!("{list} have the place of the folders: {key} closes them.");
    Availability::unless(is_covered, "covered", sentence)
}

fn has_two_lists(state: &State, action: Action) -> Availability {
    let sentence = format!(
        "This needs both lists: {} shows this machine's files beside the account's.",
        key(state, Action::ToggleLocal)
    );
    Availability::unless(!state.mode.has_two_lists(), "for two lists only", sentence)
        .and(|| in_folder(state, action))
}

fn in_folder(state: &State, _: Action) -> Availability {
    let is_search = state.files.listing.of.folder().is_none();
    let sentence = format!(
        "Only a folder can be compared: {} leaves the search.",
        key(state, Action::Back)
    );
    Availability::unless(is_search, "for folders only", sentence)
}
