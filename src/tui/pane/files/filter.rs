//! The filter of a list: its field, the earlier filters, and what narrows the rows.

use super::listing;
use crate::config::favorites::TypedLine;
use crate::tui::input::recall::Recall;
use crate::tui::pane::remember::remember;
use crate::tui::state::{ListFilter, ListPurpose, Pane, State, TREE_COLUMN_FROM};

pub(crate) fn filter_of(state: &mut State, pane: Pane) -> &mut Option<ListFilter> {
    if pane == Pane::Local {
        &mut state.local_side.list.filter
    } else {
        &mut state.files.listing.list.filter
    }
}

pub(crate) fn open(state: &mut State, pane: Pane) {
    state.focus = pane;
    // On a wide screen, a zoomed local list stays zoomed.
    if pane == Pane::List || state.size.width < TREE_COLUMN_FROM {
        state.panes.zoomed = false;
    }
    let past = Recall::new(state.session.account.favorites.typed.filters.clone());
    let filter = filter_of(state, pane).get_or_insert_default();
    (filter.editing, filter.past) = (true, past);
}

/// Leaves the field, if it has the focus. The filter stays and can be recalled, unless it is empty.
pub(crate) fn keep(state: &mut State, pane: Pane) {
    let filter = filter_of(state, pane);
    let Some(kept) = filter.as_mut().filter(|filter| filter.editing) else {
        return;
    };
    kept.editing = false;
    let typed = kept.input.text().to_owned();
    if typed.is_empty() {
        *filter = None;
    } else {
        remember(state, TypedLine::Filter(typed));
    }
}

/// Ends the filter, and the read of the whole folder if it was only for the filter.
pub(crate) fn end(state: &mut State, pane: Pane) {
    if pane == Pane::Local {
        state.local_side.list.filter = None;
        return state.local_side.arrange();
    }
    if state.files.listing.reading_whole() == Some(ListPurpose::Filter) {
        listing::stop_whole(state);
    }
    state.files.listing.end_filter();
}

/// Applies the changed filter, which searches the whole folder of an account.
pub(crate) fn narrow(state: &mut State, pane: Pane) {
    if pane == Pane::Local {
        return state.local_side.narrow();
    }
    let list = &mut state.files.listing;
    list.narrow();
    let has_text = list
        .list
        .filter
        .as_ref()
        .is_some_and(|filter| !filter.input.is_empty());
    if has_text && list.reading_whole().is_none() {
        listing::whole(state, ListPurpose::Filter);
    }
}
