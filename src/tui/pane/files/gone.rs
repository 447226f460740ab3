//! Leaves an open folder that no longer exists for the nearest existing folder above it, and says
//! so.

use super::opening;
use crate::api::ids::FolderId;
use crate::api::text::visible;
use crate::api::{Error, Kind};
use crate::engine::OpId;
use crate::engine::message::{Entry, FolderRef};
use crate::engine::question::{Locate, Located};
use crate::tui::pane::ask::{OnAnswer, ask};
use crate::tui::state::{FolderCheck, MessageLevel, NearestRead, State, parent_path};

/// Checks that the open folder, which was listed as empty, still exists.
pub(crate) fn ask_still_there(state: &mut State) {
    if let Some(FolderRef { id: Some(id), path }) = state.files.listing.of.folder().cloned() {
        ask(state, FolderCheck(id), Locate::Path(path));
    }
}

/// Leaves a folder that is no longer at its path, if it is the open one and still empty.
fn check(state: &mut State, id: &FolderId) {
    if state.files.listing.of.is_folder(Some(id)) && state.files.listing.is_empty() {
        open_nearest(state);
    }
}

pub(crate) fn open_nearest(state: &mut State) {
    let Some(place) = state.files.listing.of.folder().cloned() else {
        return;
    };
    if let Some(id) = &place.id {
        state.remove_folder(id, &place.path);
    }
    look_above(state, &place.path, &place.path);
}

fn look_above(state: &mut State, path: &str, lost: &str) {
    match parent_path(path).filter(|parent| parent != "/") {
        Some(path) => {
            ask(
                state,
                NearestRead {
                    path: path.clone(),
                    lost: lost.to_owned(),
                },
                Locate::Path(path),
            );
        }
        None => arrive(state, FolderRef::root(), lost),
    }
}

impl OnAnswer for FolderCheck {
    type Question = Locate;

    fn answered(self, state: &mut State, _: OpId, answer: Located) {
        match answer {
            Located::Entry(Entry::Folder(folder)) if folder.id == self.0 => {}
            _ => check(state, &self.0),
        }
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) {
        if error.kind == Kind::NotFound {
            check(state, &self.0);
        }
    }
}

/// Returns `true` if the lost folder is still the open one; otherwise the user has gone elsewhere.
fn is_open(state: &State, lost: &str) -> bool {
    state
        .files
        .listing
        .of
        .folder()
        .is_some_and(|place| place.path == lost)
}

impl OnAnswer for NearestRead {
    type Question = Locate;

    fn answered(self, state: &mut State, _: OpId, answer: Located) {
        let Self { path, lost } = self;
        match answer {
            _ if !is_open(state, &lost) => {}
            Located::Entry(Entry::Folder(folder)) => {
                let path = folder.path.unwrap_or(path);
                arrive(
                    state,
                    FolderRef {
                        id: Some(folder.id),
                        path,
                    },
                    &lost,
                );
            }
            _ => look_above(state, &path, &lost),
        }
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) {
        let Self { path, lost } = self;
        if !is_open(state, &lost) {
            return;
        }
        if error.kind == Kind::NotFound {
            return look_above(state, &path, &lost);
        }
        state.files.listing.fail(error.clone());
        state.say_failed(
            &format!(
                "{} was deleted, and {} could not be read",
                visible(&lost),
                visible(&path)
            ),
            error,
        );
    }
}

fn arrive(state: &mut State, place: FolderRef, lost: &str) {
    state.say(
        MessageLevel::Warn,
        format!(
            "{} was deleted; this is {}.",
            visible(lost),
            visible(&place.path)
        ),
    );
    opening::open(state, place, None);
}
