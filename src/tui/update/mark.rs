//! Marks, the filter and the order of the list.

use crossterm::event::KeyCode;

use super::load;
use crate::engine::message::SortKey;
use crate::tui::keymap::{Action, Key};
use crate::tui::message::Effect;
use crate::tui::state::{Filter, Level, Pane, Range, State};
use crate::tui::widget::figures;

pub(super) fn toggle(state: &mut State) -> Vec<Effect> {
    let listing = &mut state.listing;
    let Some(target) = listing.current().map(|row| row.target.clone()) else { return Vec::new() };
    if !listing.marks.remove(&target) {
        listing.marks.insert(target);
    }
    listing.move_to(listing.cursor + 1);
    load::next_page(state).into_iter().collect()
}

/// Begins a range at the cursor, or ends the one begun; its marks stay.
pub(super) fn range(state: &mut State) {
    let listing = &mut state.listing;
    if listing.range.take().is_some() {
        return;
    }
    if let Some(anchor) = listing.current().map(|row| row.target.clone()) {
        listing.range = Some(Range { anchor, before: listing.marks.clone() });
        listing.move_to(listing.cursor);
    }
}

pub(super) fn all(state: &mut State) {
    let targets: Vec<_> = state.listing.visible_rows().map(|row| row.target.clone()).collect();
    state.listing.marks.extend(targets);
    say_if_incomplete(state);
}

pub(super) fn invert(state: &mut State) {
    let targets: Vec<_> = state.listing.visible_rows().map(|row| row.target.clone()).collect();
    for target in targets {
        if !state.listing.marks.remove(&target) {
            state.listing.marks.insert(target);
        }
    }
    say_if_incomplete(state);
}

fn say_if_incomplete(state: &mut State) {
    if !state.listing.is_complete() {
        let marked = figures::count(state.listing.marks.len(), "item");
        let key = state.keymap.key_of(state.context(), Action::MoveBottom).unwrap_or_default();
        state.say(Level::Warn, format!("{marked} marked; the folder has more, {key} loads the rest."));
    }
}

/// Opens the filter's field, or goes back into it.
pub(super) fn open_filter(state: &mut State) {
    state.focus = Pane::List;
    state.panes.zoomed = false;
    state.listing.filter.get_or_insert_with(Filter::default).editing = true;
}

/// A key while the filter's field has the focus.
pub(super) fn filter_key(state: &mut State, key: Key) -> Vec<Effect> {
    let listing = &mut state.listing;
    let Some(filter) = &mut listing.filter else { return Vec::new() };
    match key.code {
        KeyCode::Esc => {
            listing.filter = None;
            listing.refilter();
        }
        KeyCode::Enter => {
            filter.editing = false;
            if filter.input.is_empty() {
                listing.filter = None;
            }
        }
        KeyCode::Down => listing.move_to(listing.cursor + 1),
        KeyCode::Up => listing.move_to(listing.cursor.saturating_sub(1)),
        _ => {
            if filter.input.on(key) {
                return narrow(state);
            }
        }
    }
    load::next_page(state).into_iter().collect()
}

/// Text pasted while the filter's field has the focus.
pub(super) fn filter_paste(state: &mut State, text: &str) -> Vec<Effect> {
    if let Some(filter) = &mut state.listing.filter {
        filter.input.insert(text);
    }
    narrow(state)
}

/// Applies the changed filter: the cursor goes to the first match if its own row is none.
fn narrow(state: &mut State) -> Vec<Effect> {
    let listing = &mut state.listing;
    let here = listing.current().map(|row| row.target.clone());
    listing.to_end = false;
    listing.refilter();
    if listing.current().map(|row| &row.target) != here.as_ref() {
        listing.move_to(0);
    }
    load::next_page(state).into_iter().collect()
}

/// Sorts by another key: names and kinds upwards, sizes and times the largest and latest first. Or reverses.
pub(super) fn sort(state: &mut State, action: Action) -> Vec<Effect> {
    let sort = &mut state.listing.sort;
    let key = match action {
        Action::SortName => SortKey::Name,
        Action::SortSize => SortKey::Size,
        Action::SortKind => SortKey::Kind,
        Action::SortCreated => SortKey::Created,
        Action::SortUpdated => SortKey::Updated,
        _ => {
            sort.descending = !sort.descending;
            return load::resort(state);
        }
    };
    sort.key = key;
    sort.descending = matches!(key, SortKey::Size | SortKey::Created | SortKey::Updated);
    load::resort(state)
}
