//! The actions of all panes of the files view, the account's and the local ones.

use super::rule::{Availability, Rule, key};
use crate::tui::keymap::Action;
use crate::tui::state::{LocalPane, State};

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
        _ => return None,
    })
}

fn has_room_for_tree(state: &State, _: Action) -> Availability {
    let is_covered = state.panes.local != LocalPane::Closed && !state.panes.plain;
    let key = key(state, Action::ToggleLocal);
    let sentence =
        format!("This machine's files have the place of the folders: {key} closes them.");
    Availability::unless(is_covered, "covered", sentence)
}

fn in_folder(state: &State, _: Action) -> Availability {
    let is_search = state.files.listing.of.folder().is_none();
    let sentence = format!(
        "Only a folder can be compared: {} leaves the search.",
        key(state, Action::Back)
    );
    Availability::unless(is_search, "for folders only", sentence)
}
