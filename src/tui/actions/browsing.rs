//! The actions of all panes of the files view, the account's and the local ones.

use crate::tui::denied_actions::Capability;
use crate::tui::keymap::Action;
use crate::tui::pane::rule::{Availability, Rule, key};
use crate::tui::state::State;

pub(super) fn rule(action: Action) -> Option<Rule> {
    Some(match action {
        Action::NextPane
        | Action::PreviousPane
        | Action::Zoom
        | Action::ResetPanes
        | Action::WidenPane
        | Action::NarrowPane
        | Action::RaiseStrip
        | Action::LowerStrip
        | Action::ToggleLocal
        | Action::ToggleDetails
        | Action::TogglePreview
        | Action::ToggleSource
        | Action::NextPage
        | Action::PreviousPage
        | Action::ScrollDown
        | Action::ScrollUp => Rule::new(),
        Action::ToggleTree => Rule::new().when(has_room_for_tree),
        Action::Compare => Rule::new().when(in_folder),
        Action::MakeThereLikeHere => Rule::new().needs(Capability::Write).when(has_two_lists),
        Action::MakeHereLikeThere => Rule::new().when(has_two_lists),
        _ => return None,
    })
}

fn has_room_for_tree(state: &State, _: Action) -> Availability {
    let is_covered = state.mode.has_local_list() && !state.panes.plain;
    let key = key(state, Action::ToggleLocal);
    let sentence =
        format!("This machine's files have the place of the folders: {key} closes them.");
    Availability::unless(is_covered, "covered", sentence)
}

fn has_two_lists(state: &State, action: Action) -> Availability {
    let sentence = format!(
        "This needs both lists: {} shows this machine's files beside the account's.",
        key(state, Action::ToggleLocal)
    );
    Availability::unless(!state.mode.has_local_list(), "for two lists only", sentence)
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
