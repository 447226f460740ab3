//! The content of the screen, including styles: state in, a snapshot of the cells out.

mod library;
pub(crate) mod picture;
mod snapshot;

mod accounts;
mod advice;
mod bad_days;
mod comparing;
mod dialogs;
mod files;
mod gallery;
mod grid;
mod hostile;
mod limits;
mod local_side;
mod over;
mod plain;
mod plans;
mod preview;
mod resize;
mod search;
mod sets;
mod settings;
mod showcase;
mod slow;
mod tasks;

use filedeck::engine::preview::Preview;
use filedeck::tui::state::State;

pub(crate) use gallery::document_pictures;

pub(crate) fn drawn(state: &State, cols: u16, rows: u16) -> String {
    snapshot::draw_text(state, cols, rows)
}

pub(crate) fn drawn_with(name: &str, preview: Preview) -> String {
    drawn(&preview::seen(name, preview), 120, 40)
}
