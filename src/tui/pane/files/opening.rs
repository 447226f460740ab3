//! Opens a folder or a search in the list, and its branch in the tree.

use super::listing;
use crate::api::ids::{FileId, FolderId};
use crate::api::model::{File, Folder};
use crate::api::text::visible;
use crate::api::{Error, Kind};
use crate::engine::OpId;
use crate::engine::message::{Collection, Entry, Target};
use crate::engine::question::{GetFile, ListFolders};
use crate::tui::pane::ask::{OnAnswer, ask};
use crate::tui::state::{BranchRead, Children, DetailsRead, ListRead, ListShape, Listing, State};

/// Opens a folder or a search in the list, from its first page; the cursor goes to `seek` once that
/// is loaded.
pub(crate) fn open(state: &mut State, of: impl Into<Collection>, seek: Option<Target>) {
    listing::drop_read(state);
    let of = of.into();
    let (place, sort) = match &of {
        Collection::Folder(place) => (Some(place.clone()), state.files.sort),
        Collection::Found(query) => (None, query.order().unwrap_or_default()),
    };
    state.files.listing = Listing::new(of, sort);
    state.files.listing.seek = seek;
    let grids = &state.session.account.favorites.grids;
    if place
        .as_ref()
        .is_some_and(|place| grids.contains(&place.path))
    {
        state.files.listing.shape = ListShape::Grid;
    }
    listing::read(state, ListRead::First);
    if place.is_some() {
        state.files.tree.seek = place;
        reveal(state);
    }
}

/// Requests the subfolders of a folder in the tree, unless they are on their way.
pub(crate) fn branch(state: &mut State, id: Option<&FolderId>) {
    let node = state
        .files
        .tree
        .find(id)
        .filter(|node| !matches!(node.children, Children::Loading(_)));
    let Some(place) = node.map(|node| node.place.clone()) else {
        return;
    };
    let op = ask(state, BranchRead(id.cloned()), ListFolders { place });
    if let Some(node) = state.files.tree.find_mut(id) {
        node.children = Children::Loading(op);
    }
}

/// Reads the branch at a path again, if it was read before.
pub(crate) fn branch_at(state: &mut State, path: &str) {
    let node = state
        .files
        .tree
        .nodes
        .iter()
        .find(|node| node.place.path == path);
    if let Some(node) = node.filter(|node| node.children != Children::Unknown) {
        let id = node.place.id.clone();
        branch(state, id.as_ref());
    }
}

/// Moves the tree's cursor to the folder that it follows, opening and loading branches on the way.
pub(crate) fn reveal(state: &mut State) {
    let Some(wanted) = state.files.tree.seek.clone() else {
        return;
    };
    if state.files.tree.find(wanted.id.as_ref()).is_some() {
        let mut above = wanted.id.clone();
        while let Some(parent) = above
            .as_ref()
            .and_then(|id| state.files.tree.parent(id))
            .map(|node| node.place.id.clone())
        {
            if let Some(node) = state.files.tree.find_mut(parent.as_ref()) {
                node.open = true;
            }
            above = parent;
        }
        // Opened without a request: the list brings its subfolders.
        if let Some(node) = state.files.tree.find_mut(wanted.id.as_ref()) {
            node.open = true;
        }
        state.files.tree.cursor = wanted.id;
        state.files.tree.seek = None;
        return;
    }
    let is_above = |path: &str| {
        path == "/"
            || wanted
                .path
                .strip_prefix(path)
                .is_some_and(|rest| rest.starts_with('/'))
    };
    let nodes = state
        .files
        .tree
        .nodes
        .iter()
        .filter(|node| is_above(&node.place.path));
    let Some(nearest) = nodes.max_by_key(|node| node.place.path.len()) else {
        return;
    };
    match nearest.children {
        Children::Unknown => {
            let id = nearest.place.id.clone();
            branch(state, id.as_ref());
        }
        Children::Loading(_) => {}
        Children::Loaded | Children::Failed(_) => state.files.tree.seek = None,
    }
}

pub(crate) fn details(state: &mut State, file: FileId) {
    ask(state, DetailsRead, GetFile { file });
}

impl OnAnswer for BranchRead {
    type Question = ListFolders;

    fn answered(self, state: &mut State, _: OpId, answer: Vec<Folder>) {
        state.set_subfolders(self.0.as_ref(), answer);
        reveal(state);
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) {
        let Some(node) = state.files.tree.find_mut(self.0.as_ref()) else {
            return;
        };
        let path = node.place.path.clone();
        match &self.0 {
            Some(id) if error.kind == Kind::NotFound => state.remove_folder(id, &path),
            _ => {
                node.children = Children::Failed(error.clone());
                state.say_failed(&format!("{} could not be read", visible(&path)), error);
            }
        }
    }
}

impl OnAnswer for DetailsRead {
    type Question = GetFile;

    fn answered(self, state: &mut State, _: OpId, answer: File) {
        let target = Target::File(answer.id.clone());
        if state.files.listing.row(&target).is_some() && !state.session.tasks.busy.holds(&target) {
            state.files.listing.upsert(Entry::File(answer));
        }
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) {
        state.say_failed("The details could not be read", error);
    }
}
