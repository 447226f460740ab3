//! Marks, the filter and the order of the list.

use super::listing;
use crate::tui::keymap::Action;
use crate::tui::state::{ListPurpose, MessageLevel, State};

/// Marks all visible rows, after reading the folder to its end.
pub(crate) fn all(state: &mut State) {
    when_whole(state, ListPurpose::MarkAll);
}

/// Inverts the marks, after reading the folder to its end.
pub(crate) fn invert(state: &mut State) {
    when_whole(state, ListPurpose::Invert);
}

fn when_whole(state: &mut State, purpose: ListPurpose) {
    if state.files.listing.is_whole() {
        mark(state, purpose);
        return;
    }
    let key = state
        .keymap
        .key_of(state.context(), Action::Back)
        .unwrap_or_default();
    let text = format!("Reading the whole folder before marking; {key} stops.");
    state.say(MessageLevel::Hint, text);
    listing::whole(state, purpose);
}

pub(crate) fn mark(state: &mut State, purpose: ListPurpose) {
    match purpose {
        ListPurpose::MarkAll => state.files.listing.mark_all(),
        ListPurpose::Invert => state.files.listing.invert_marks(),
        _ => {}
    }
}

/// Sorts this search, or all folders, by another key, or reverses the order.
pub(crate) fn sort(state: &mut State, action: Action) {
    let listing = &mut state.files.listing;
    let sort = listing.list.sort.after(action);
    listing.list.sort = sort;
    if listing.of.folder().is_some() {
        state.files.sort = sort;
    }
    listing::resort(state);
}
