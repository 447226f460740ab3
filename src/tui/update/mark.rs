//! Marks, the filter and the order of the list.

use crossterm::event::KeyCode;

use super::listing;
use super::remember::remember;
use crate::config::favorites::TypedLine;
use crate::engine::message::Sort;
use crate::tui::input::recall::Recall;
use crate::tui::keymap::{Action, Key};
use crate::tui::state::{ListFilter, ListPurpose, MessageLevel, Pane, State, sort_of};

pub(super) fn toggle(state: &mut State) {
    state.files.listing.toggle_mark();
    listing::next_page(state);
}

/// Marks all visible rows, after reading the folder to its end.
pub(super) fn all(state: &mut State) {
    when_whole(state, ListPurpose::MarkAll);
}

/// Inverts the marks, after reading the folder to its end.
pub(super) fn invert(state: &mut State) {
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

pub(super) fn mark(state: &mut State, purpose: ListPurpose) {
    match purpose {
        ListPurpose::MarkAll => state.files.listing.mark_all(),
        ListPurpose::Invert => state.files.listing.invert_marks(),
        _ => {}
    }
}

pub(super) fn open_filter(state: &mut State) {
    state.focus = Pane::List;
    state.panes.zoomed = false;
    let filter = state
        .files
        .listing
        .filter
        .get_or_insert_with(ListFilter::default);
    filter.editing = true;
    filter.past = Recall::new(state.session.account.favorites.typed.filters.clone());
}

pub(super) fn filter_key(state: &mut State, key: Key) {
    let list = &mut state.files.listing;
    let Some(filter) = &mut list.filter else {
        return;
    };
    match key.code {
        KeyCode::Esc => return end_filter(state),
        KeyCode::Enter => keep_filter(state),
        KeyCode::Up if filter.recalls() => {
            filter.recall(true);
            return narrow(state);
        }
        KeyCode::Down if filter.recalls() && filter.recall(false) => return narrow(state),
        KeyCode::Down => list.move_to(list.cursor + 1),
        KeyCode::Up => list.move_to(list.cursor.saturating_sub(1)),
        _ => {
            if filter.input.on(key) {
                return narrow(state);
            }
        }
    }
    listing::next_page(state);
}

/// Leaves the filter field, if it has the focus. The filter stays and can be recalled, unless it is
/// empty.
pub(super) fn keep_filter(state: &mut State) {
    let list = &mut state.files.listing;
    let Some(filter) = list.filter.as_mut().filter(|filter| filter.editing) else {
        return;
    };
    filter.editing = false;
    if filter.input.is_empty() {
        list.filter = None;
        return;
    }
    let line = TypedLine::Filter(filter.input.text().to_owned());
    remember(state, line);
}

pub(super) fn filter_paste(state: &mut State, text: &str) {
    if let Some(filter) = &mut state.files.listing.filter {
        filter.input.insert(text);
    }
    narrow(state);
}

/// Ends the filter, and the read of the whole folder if it was only for the filter.
pub(super) fn end_filter(state: &mut State) {
    if state.files.listing.reading_whole() == Some(ListPurpose::Filter) {
        listing::stop_whole(state);
    }
    state.files.listing.filter = None;
    state.files.listing.refilter();
    listing::next_page(state);
}

/// Applies the changed filter, which searches the whole folder. The cursor goes to the first match
/// if its own row is filtered out.
fn narrow(state: &mut State) {
    let list = &mut state.files.listing;
    let here = list.at(list.cursor).map(|(slot, _)| slot);
    list.to_end = false;
    list.refilter();
    if list.at(list.cursor).map(|(slot, _)| slot) != here {
        list.move_to(0);
    }
    let is_empty = list
        .filter
        .as_ref()
        .is_none_or(|filter| filter.input.is_empty());
    if !is_empty && list.reading_whole().is_none() {
        listing::whole(state, ListPurpose::Filter);
    }
}

/// Sorts this search, or all folders, by another key, or reverses the order.
pub(super) fn sort(state: &mut State, action: Action) {
    let list = &mut state.files.listing;
    let sort = sort_of(action).unwrap_or(Sort {
        descending: !list.sort.descending,
        ..list.sort
    });
    list.sort = sort;
    if list.of.folder().is_some() {
        state.files.sort = sort;
    }
    listing::resort(state);
}
