//! Keys and pasted text for the filter that is being typed.

use crossterm::event::KeyCode;

use crate::tui::keymap::{Action, Key};
use crate::tui::pane::files::filter;
use crate::tui::pane::table::component;
use crate::tui::state::{Pane, State};

/// The pane whose filter has the focus.
pub(super) fn typing_pane(state: &State) -> Pane {
    if state.is_typing_local() {
        Pane::Local
    } else {
        Pane::List
    }
}

pub(super) fn key(state: &mut State, key: Key) {
    let pane = typing_pane(state);
    let Some(filter) = filter::filter_of(state, pane) else {
        return;
    };
    match key.code {
        KeyCode::Esc => filter::end(state, pane),
        KeyCode::Enter => filter::keep(state, pane),
        KeyCode::Up if filter.recalls() => {
            filter.recall(true);
            filter::narrow(state, pane);
        }
        KeyCode::Down if filter.recalls() && filter.recall(false) => filter::narrow(state, pane),
        KeyCode::Down => component(pane).step(state, Action::MoveDown),
        KeyCode::Up => component(pane).step(state, Action::MoveUp),
        _ => {
            if filter.input.on(key) {
                filter::narrow(state, pane);
            }
        }
    }
}

pub(super) fn paste(state: &mut State, text: &str) {
    let pane = typing_pane(state);
    if let Some(filter) = filter::filter_of(state, pane) {
        filter.input.insert(text);
    }
    filter::narrow(state, pane);
}
