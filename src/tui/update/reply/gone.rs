//! When the open folder is no longer there: goes to the nearest folder above it that is, and says so.

use crate::api::ids::FolderId;
use crate::api::text::visible;
use crate::api::{Error, Kind};
use crate::engine::message::{Entry, FolderRef};
use crate::engine::{Outcome, Request};
use crate::tui::message::Effect;
use crate::tui::state::{MessageLevel, Read, State, parent_path};
use crate::tui::update::load;

/// Asks whether the open folder, which came up empty, is there.
pub(super) fn ask_still_there(state: &mut State) -> Option<Effect> {
    let place = state.current.listing.of.folder()?.clone();
    let op = state.current.ops.read(Read::CheckFolder(place.id?));
    Some(Effect::Submit(op, Request::Locate { path: place.path }))
}

/// The folder of this id is not where it was: leaves it, if it is the open one and nothing has come into it since.
pub(super) fn check(state: &mut State, id: &FolderId) -> Vec<Effect> {
    let is_open = state.current.listing.of.is_folder(Some(id)) && state.current.listing.is_empty();
    if is_open { open_nearest(state) } else { Vec::new() }
}

/// Leaves the open folder for the nearest one above that is there.
pub(super) fn open_nearest(state: &mut State) -> Vec<Effect> {
    let Some(place) = state.current.listing.of.folder().cloned() else { return Vec::new() };
    if let Some(id) = &place.id {
        state.current.tree.remove(id);
    }
    look_above(state, &place.path, &place.path)
}

fn look_above(state: &mut State, path: &str, lost: &str) -> Vec<Effect> {
    match parent_path(path).filter(|parent| parent != "/") {
        Some(path) => {
            let op = state.current.ops.read(Read::NearestFolder { path: path.clone(), lost: lost.to_owned() });
            vec![Effect::Submit(op, Request::Locate { path })]
        }
        None => arrive(state, FolderRef::root(), lost),
    }
}

/// What stands at a path above the lost folder.
pub(super) fn located(state: &mut State, path: &str, lost: &str, result: Result<Outcome, Error>) -> Vec<Effect> {
    if state.current.listing.of.folder().is_none_or(|place| place.path != lost) {
        // The user has gone elsewhere since.
        return Vec::new();
    }
    match result {
        Ok(Outcome::Located(Entry::Folder(folder))) => {
            let path = folder.path.unwrap_or_else(|| path.to_owned());
            arrive(state, FolderRef { id: Some(folder.id), path }, lost)
        }
        Err(error) if error.kind != Kind::NotFound => {
            state.current.listing.fail(error.clone());
            state
                .say_failed(&format!("{} was deleted, and {} could not be read", visible(lost), visible(path)), &error);
            Vec::new()
        }
        _ => look_above(state, path, lost),
    }
}

fn arrive(state: &mut State, place: FolderRef, lost: &str) -> Vec<Effect> {
    state.say(MessageLevel::Warn, format!("{} was deleted; this is {}.", visible(lost), visible(&place.path)));
    load::open(state, place, None)
}
