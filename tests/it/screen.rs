//! What stands on the screen, style runs included: state in, a snapshot of the cells out.

mod library;
mod picture;
mod snapshot;

mod dialogs;
mod files;
mod limits;
mod over;
mod plans;
mod preview;
mod sets;
mod slow;
mod tasks;

use filedeck::tui::state::State;

/// The characters of a frame of that size.
pub(crate) fn drawn(state: &State, cols: u16, rows: u16) -> String {
    snapshot::draw_text(state, cols, rows)
}

/// The screen of the README: a folder, two marks, every kind of task.
pub(crate) fn readme_picture() -> String {
    let mut state = library::browsing();
    library::with_tasks(&mut state);
    picture::picture(&state, 120, 36)
}
