//! Gives the focus to the details, and back to the list that they belong to.

use crate::tui::state::{Pane, State};

pub(super) fn open(state: &mut State) {
    state.panes.details = true;
    // On a narrow screen the peek is too small for all of them.
    state.panes.zoomed |= !state.has_details_column();
    state.focus = Pane::Details;
}

pub(super) fn leave(state: &mut State) {
    state.focus = list_of(state);
    state.panes.zoomed = false;
}

pub(super) fn list_of(state: &State) -> Pane {
    if state.local_side.has_details {
        Pane::Local
    } else {
        Pane::List
    }
}
