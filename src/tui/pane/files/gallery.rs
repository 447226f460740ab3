//! The grid: turns it on and off, and requests its pictures, visible ones first.

use super::grid;
use super::listing;
use crate::api::Error;
use crate::config::favorites::FavoritesChange;
use crate::engine::OpId;
use crate::engine::preview::{Preview, PreviewTarget};
use crate::engine::question::GetPreview;
use crate::tui::pane::ask::{OnAnswer, ask};
use crate::tui::pane::component::Due;
use crate::tui::pane::remember;
use crate::tui::state::{GridRead, ListShape, PreviewKey, PreviewState, Row, State, View};

/// The number of lines below the visible ones whose pictures are requested ahead.
const AHEAD: usize = 2;

/// Switches between rows and a grid of pictures, and saves the choice for the folder.
pub(crate) fn toggle(state: &mut State) {
    let list = &mut state.files.listing;
    list.shape = if list.shape == ListShape::Grid {
        ListShape::Rows
    } else {
        ListShape::Grid
    };
    list.list
        .move_cursor(|cursor| cursor.put(cursor.at(), None));
    let (is_grid, folder) = (
        list.shape == ListShape::Grid,
        list.of.folder().map(|place| place.path.clone()),
    );
    // Not for searches, which are new each time.
    if let Some(folder) = folder {
        remember::keep(state, FavoritesChange::Grid { folder, is_grid });
    }
}

/// Cancels the requests of pictures out of sight.
pub(crate) fn follow(state: &mut State) {
    let shown = shown(state);
    let wanted = wanted(state);
    let top = shown.and_then(|shown| {
        let (_, row) = state.files.listing.at(shown.items.start)?;
        Some((row.target.clone(), shown.items.len()))
    });
    let gallery = &mut state.files.gallery;
    gallery.at(top, state.now);
    let given_up = gallery.give_up(|key| wanted.iter().any(|(wanted, _)| wanted == key));
    for op in given_up {
        listing::forget(state, op);
    }
}

pub(crate) fn due(state: &State) -> Option<Due> {
    let gallery = &state.files.gallery;
    let is_lacking = gallery.room() > 0 && !lacking(state).is_empty();
    Due::new(gallery.at_rest().filter(|_| is_lacking), request)
}

/// Requests the missing pictures, as many as may be under way.
fn request(state: &mut State) {
    let room = state.files.gallery.room();
    for (key, subject) in lacking(state).into_iter().take(room) {
        let question = GetPreview {
            subject,
            room: state.picture_support.grid_dots(),
            is_thumbnail: true,
            page: 0,
        };
        let op = ask(state, GridRead, question);
        state.files.gallery.ask(key, op);
    }
}

fn shown(state: &State) -> Option<grid::Shown> {
    grid::shown(state).filter(|_| state.view == View::Files)
}

/// The missing pictures that were not requested.
fn lacking(state: &State) -> Vec<(PreviewKey, PreviewTarget)> {
    let mut lacking = wanted(state);
    lacking.retain(|(key, _)| !state.files.gallery.is_asked(key));
    lacking
}

/// The missing pictures: the visible ones, then those below if there are spare requests.
fn wanted(state: &State) -> Vec<(PreviewKey, PreviewTarget)> {
    let Some(shown) = shown(state) else {
        return Vec::new();
    };
    if state.session.connection.is_lost() || state.session.is_closed {
        return Vec::new();
    }
    let ahead = if state.has_spare_requests() {
        AHEAD * shown.across
    } else {
        0
    };
    let listing = &state.files.listing;
    let picture = |row: &Row| {
        let key = PreviewKey::grid(row);
        let lacks = grid::is_picture(row) && state.files.previews.of(&key).is_none();
        let file = lacks.then(|| row.file(listing.of.base())).flatten()?;
        Some((key, PreviewTarget::File(Box::new(file))))
    };
    (shown.items.start..shown.items.end + ahead)
        .take(state.picture_support.most_in_grid())
        .map_while(|at| listing.at(at))
        .filter(|(_, row)| !state.session.tasks.busy.holds(&row.target))
        .filter_map(|(_, row)| picture(row))
        .collect()
}

impl OnAnswer for GridRead {
    type Question = GetPreview;

    fn answered(self, state: &mut State, op: OpId, answer: Preview) {
        keep(state, op, PreviewState::Seen(answer));
    }

    fn failed(self, state: &mut State, op: OpId, error: &Error) {
        keep(state, op, PreviewState::Failed(error.clone()));
    }
}

fn keep(state: &mut State, op: OpId, preview: PreviewState) {
    if let Some(key) = state.files.gallery.remove(op) {
        state.files.previews.keep(key, preview, state.now);
    }
}
