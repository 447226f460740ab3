//! Esc, which only ever backs out.

use super::switch;
use crate::tui::pane::files::{browse, filter, listing};
use crate::tui::pane::focus;
use crate::tui::pane::limits;
use crate::tui::pane::local;
use crate::tui::pane::plan;
use crate::tui::state::{Beside, Pane, State, TREE_COLUMN_FROM, View};

/// Backs out of one thing: a switch of accounts, a plan that is being made, another view, full-screen details, the read of a
/// whole folder, filter, range, marks, cut, zoom, the tree over the list, another pane, a search,
/// the list beside, the last message.
pub(super) fn back(state: &mut State) {
    if state.switch.is_some() && !state.is_anew() {
        return switch::cancel(state);
    }
    if plan::cancel_unseen(state) {
        return;
    }
    if state.view == View::Limits && limits::update::leave(state) {
        return;
    }
    let list = &mut state.files.listing;
    if state.view != View::Files {
        state.view = View::Files;
    } else if state.panes.zoomed && state.focus == Pane::Details {
        focus::leave_zoom(state);
    } else if list.reading_whole().is_some() {
        listing::stop_whole(state);
    } else if list.list.filter.is_some() {
        filter::end(state, Pane::List);
    } else if list.list.end_range() {
    } else if !list.marks.is_empty() {
        list.clear_marks();
    } else if state.session.cut.take().is_some() {
    } else if state.panes.zoomed {
        state.panes.zoomed = false;
    } else if state.panes.tree_overlay && state.size.width < TREE_COLUMN_FROM {
        state.panes.tree_overlay = false;
        focus::keep_focus_on_screen(state);
    } else if state.focus != Pane::List {
        state.focus = Pane::List;
    } else if list.of.query().is_some() {
        browse::leave(state);
    } else if state.mode.beside() != Beside::Nothing {
        local::update::close(state);
    } else {
        state.status.clear();
    }
}
