//! Requests the content of panes: folders, branches of the tree, details and reports.

use crate::api::ids::{FileId, FolderId};
use crate::api::model::{File, Folder};
use crate::api::text::visible;
use crate::api::{Error, Kind};
use crate::engine::OpId;
use crate::engine::message::{Collection, Entry, FolderRef, Target};
use crate::engine::question::{GetFile, ListFolders};
use crate::tui::effect::Effect;
use crate::tui::state::{
    BranchRead, Children, ConnectionLoss, CursorIdle, DetailsRead, ListRead, ListShape, Listing,
    State,
};
use crate::tui::update::ask::{OnAnswer, ask};
use crate::tui::update::{limits, listing, service_task, unsaved_edits};

pub(super) fn first_screen(state: &mut State) {
    open(state, FolderRef::root(), None);
    if let Some(root) = state.files.tree.find_mut(None) {
        root.open = true;
    }
    branch(state, None);
    limits::account(state);
}

pub(super) fn start(state: &mut State) {
    first_screen(state);
    state.effects.push(Effect::RememberAccount(
        state.session.account.source.clone(),
    ));
    unsaved_edits::look(state);
    state.session.tasks.since = Some(state.now);
}

/// Opens a folder or a search in the list, from its first page; the cursor goes to `seek` once that
/// is loaded.
pub(super) fn open(state: &mut State, of: impl Into<Collection>, seek: Option<Target>) {
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
pub(super) fn branch(state: &mut State, id: Option<&FolderId>) {
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
pub(super) fn branch_at(state: &mut State, path: &str) {
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
pub(super) fn reveal(state: &mut State) {
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

pub(super) fn details(state: &mut State, file: FileId) {
    ask(state, DetailsRead, GetFile { file });
}

/// Sends the requests that are due without a key; none for a closed session.
pub(super) fn due(state: &mut State) {
    if state.session.is_closed {
        return;
    }
    again_after_loss(state);
    details_at_rest(state);
    service_task::look_again(state);
}

/// Requests the details of the file under a resting cursor, if only its row is known.
fn details_at_rest(state: &mut State) {
    if let Some(file) = state.needs_details().cloned()
        && state.files.cursor_idle.is_over(state.now)
    {
        details(state, file);
    }
}

/// Repeats the reads that failed, now that the service is back. The open folder is read again
/// unless the answer that showed this was its own (`is_listed`), or its read is under way.
pub(super) fn again_after_return(state: &mut State, is_listed: bool) {
    state.files.previews.forget_lost();
    state.files.cursor_idle = CursorIdle::default();
    if !is_listed && state.files.listing.pending.is_none() {
        listing::refresh(state);
    }
    lost_limits(state);
    let is_lost = |error: &Error| ConnectionLoss::of(error.kind).is_some();
    let nodes = state.files.tree.nodes.iter();
    let failed =
        nodes.filter(|node| matches!(&node.children, Children::Failed(error) if is_lost(error)));
    let failed: Vec<_> = failed.map(|node| node.place.id.clone()).collect();
    for id in failed {
        branch(state, id.as_ref());
    }
}

/// Reads the panes again, once a lost service may be back.
fn again_after_loss(state: &mut State) {
    if !state.session.connection.is_due(state.now) || state.session.ops.is_busy() {
        return;
    }
    listing::refresh(state);
    lost_limits(state);
}

/// Reads the limits again if the connection was lost; a refusal would only be repeated.
fn lost_limits(state: &mut State) {
    let problems = state.session.limits.book.problems();
    let is_lost = problems
        .iter()
        .any(|(_, error)| ConnectionLoss::of(error.kind).is_some());
    if is_lost {
        limits::account(state);
    }
}

impl OnAnswer for BranchRead {
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
