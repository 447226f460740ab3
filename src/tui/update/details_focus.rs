//! The focus of the details: how they get it, and which list it goes back to.

use crate::tui::state::{Pane, State};

/// Shows the details of the row under the cursor, with the focus on them.
pub(super) fn open(state: &mut State) {
    state.panes.details = true;
    // On a narrow screen the peek has no room for all of it.
    state.panes.zoomed |= !state.panes.have_details_column(state.size.0);
    state.focus = Pane::Details;
}

pub(super) fn leave(state: &mut State) {
    state.focus = list_of(state);
    state.panes.zoomed = false;
}

/// The list whose row the details are of.
pub(super) fn list_of(state: &State) -> Pane {
    if state.local_side.has_details { Pane::Local } else { Pane::List }
}
