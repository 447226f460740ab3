//! The open view and the pane with the focus.

use crate::tui::areas;
use crate::tui::state::{MessageTopic, Pane, State, View};

pub(crate) fn open_view(state: &mut State, view: View) {
    if view == View::Tasks && state.view != View::Tasks {
        state.session.tasks.seek_urgent();
        state.status.clear_about(MessageTopic::Task);
    }
    state.view = view;
}

/// Gives the focus to the list if the focused pane is not shown.
pub(crate) fn keep_focus_on_screen(state: &mut State) {
    if !state.shown_panes().contains(&state.focus) {
        state.focus = if state.mode.is_choosing() {
            Pane::Local
        } else {
            Pane::List
        };
        state.panes.zoomed = false;
    }
    state.session.limits.is_scrolling &= aside_rows(state).is_some();
}

/// Ends the zoom; details without a column of their own give the focus back to their list.
pub(crate) fn leave_zoom(state: &mut State) {
    state.panes.zoomed = false;
    if state.focus == Pane::Details && !state.has_details_column() {
        state.focus = list_of_details(state);
    }
}

pub(crate) fn open_details(state: &mut State) {
    state.panes.details = true;
    // On a narrow screen the peek is too small for all of them.
    state.panes.zoomed |= !state.has_details_column();
    state.focus = Pane::Details;
}

pub(crate) fn leave_details(state: &mut State) {
    state.focus = list_of_details(state);
    state.panes.zoomed = false;
}

pub(crate) fn list_of_details(state: &State) -> Pane {
    if state.local_side.has_details {
        Pane::Local
    } else {
        Pane::List
    }
}

/// The number of lines visible in the pane beside the lists; `None` if it is not shown.
pub(crate) fn aside_rows(state: &State) -> Option<usize> {
    let aside = areas::limits(areas::areas(state.size, state)?.body, state).aside?;
    Some(usize::from(aside.height.saturating_sub(areas::AROUND)))
}
