//! What is on the screen, style runs included: state in, a snapshot of the cells out.

mod library;
mod picture;
mod snapshot;

mod accounts;
mod bad_days;
mod comparing;
mod dialogs;
mod files;
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
use filedeck::tui::state::{State, View};

/// The characters of a frame of that size.
pub(crate) fn drawn(state: &State, cols: u16, rows: u16) -> String {
    snapshot::draw_text(state, cols, rows)
}

/// The characters of a frame that shows this look into a file.
pub(crate) fn drawn_with(name: &str, preview: Preview) -> String {
    drawn(&preview::seen(name, preview), 120, 40)
}

/// The pictures of the documents by their file names: a folder with a look into a file, its tasks, the limits, a plan, a
/// grid, a comparison.
pub(crate) fn document_pictures() -> [(&'static str, String); 6] {
    let view = |view: View| {
        let mut state = library::browsing();
        library::with_tasks(&mut state);
        state.view = view;
        state
    };
    let picture = |state: State| picture::picture(&state, 120, 40);
    [
        ("files.svg", picture(showcase::showcase())),
        ("tasks.svg", picture(view(View::Tasks))),
        ("limits.svg", picture(view(View::Limits))),
        ("plan.svg", picture(plans::with_plan(""))),
        ("grid.svg", picture(grid::grid(false))),
        ("comparison.svg", picture(comparing::compared())),
    ]
}
