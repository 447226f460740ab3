//! What is on the screen, style runs included: state in, a snapshot of the cells out.

mod library;
pub(crate) mod picture;
mod snapshot;

mod accounts;
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

/// The characters of a frame of that size.
pub(crate) fn drawn(state: &State, cols: u16, rows: u16) -> String {
    snapshot::draw_text(state, cols, rows)
}

/// The characters of a frame that shows this look into a file.
pub(crate) fn drawn_with(name: &str, preview: Preview) -> String {
    drawn(&preview::seen(name, preview), 120, 40)
}
