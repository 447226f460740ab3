//! Asks the engine for what panes show: a folder, branches of the tree, reports. The answers come to `reply`.

use crate::api::ids::{FileId, FolderId};
use crate::api::model::{File, Folder};
use crate::api::text::visible;
use crate::api::{Error, Kind};
use crate::engine::OpId;
use crate::engine::message::{Collection, Entry, FolderRef, Target};
use crate::engine::question::{GetFile, ListFolders};
use crate::tui::effect::Effect;
use crate::tui::state::{
    BranchRead, Children, ConnectionLoss, CursorIdle, DetailsRead, ListRead, ListShape, Listing, State,
};
use crate::tui::update::ask::{OnAnswer, ask, ask_with_id};
use crate::tui::update::{limits, listing, service_task, unsaved_edits};

/// What the first screen needs.
pub(super) fn first_screen(state: &mut State) -> Vec<Effect> {
    let mut effects = open(state, FolderRef::root(), None);
    if let Some(root) = state.current.tree.find_mut(None) {
        root.open = true;
    }
    effects.extend(branch(state, None));
    effects.extend(limits::account(state));
    effects
}

/// What a new session needs.
pub(super) fn start(state: &mut State) -> Vec<Effect> {
    let mut effects = first_screen(state);
    effects.push(Effect::RememberAccount(state.current.account.source.clone()));
    effects.push(unsaved_edits::look(state));
    state.current.tasks.since = Some(state.now);
    effects
}

/// Shows a folder or a search in the list, from its first page; the cursor goes to `seek` when that is loaded.
pub(super) fn open(state: &mut State, of: impl Into<Collection>, seek: Option<Target>) -> Vec<Effect> {
    let mut effects: Vec<Effect> = listing::drop_read(state).into_iter().collect();
    let of = of.into();
    let (place, sort) = match &of {
        Collection::Folder(place) => (Some(place.clone()), state.current.sort),
        Collection::Found(query) => (None, query.order().unwrap_or_default()),
    };
    state.current.listing = Listing::new(of, sort);
    state.current.listing.seek = seek;
    let grids = &state.current.account.favorites.grids;
    if place.as_ref().is_some_and(|place| grids.contains(&place.path)) {
        state.current.listing.shape = ListShape::Grid;
    }
    effects.extend(listing::read(state, ListRead::First));
    if place.is_some() {
        state.current.tree.seek = place;
        effects.extend(reveal(state));
    }
    effects
}

/// Sub-folders of a folder of the tree, unless they are on their way.
pub(super) fn branch(state: &mut State, id: Option<&FolderId>) -> Option<Effect> {
    let node = state.current.tree.find(id).filter(|node| !matches!(node.children, Children::Loading(_)))?;
    let place = node.place.clone();
    let (op, effect) = ask_with_id(state, BranchRead(id.cloned()), ListFolders { place });
    if let Some(node) = state.current.tree.find_mut(id) {
        node.children = Children::Loading(op);
    }
    Some(effect)
}

/// Reads a branch again that is known by its path, if it was read before.
pub(super) fn branch_at(state: &mut State, path: &str) -> Option<Effect> {
    let node = state.current.tree.nodes.iter().find(|node| node.place.path == path)?;
    if node.children == Children::Unknown {
        return None;
    }
    let id = node.place.id.clone();
    branch(state, id.as_ref())
}

/// Brings the tree's cursor to the folder that it is to follow, opening and loading branches on the way.
pub(super) fn reveal(state: &mut State) -> Option<Effect> {
    let wanted = state.current.tree.seek.clone()?;
    if state.current.tree.find(wanted.id.as_ref()).is_some() {
        let mut above = wanted.id.clone();
        while let Some(parent) =
            above.as_ref().and_then(|id| state.current.tree.parent(id)).map(|node| node.place.id.clone())
        {
            if let Some(node) = state.current.tree.find_mut(parent.as_ref()) {
                node.open = true;
            }
            above = parent;
        }
        // Opened as it is listed: what is in it comes with the list.
        if let Some(node) = state.current.tree.find_mut(wanted.id.as_ref()) {
            node.open = true;
        }
        state.current.tree.cursor = wanted.id;
        state.current.tree.seek = None;
        return None;
    }
    let is_above = |path: &str| path == "/" || wanted.path.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
    let nodes = state.current.tree.nodes.iter().filter(|node| is_above(&node.place.path));
    let nearest = nodes.max_by_key(|node| node.place.path.len())?;
    match nearest.children {
        Children::Unknown => {
            let id = nearest.place.id.clone();
            branch(state, id.as_ref())
        }
        Children::Loading(_) => None,
        Children::Loaded | Children::Failed(_) => {
            state.current.tree.seek = None;
            None
        }
    }
}

/// A file's details, fresh.
pub(super) fn details(state: &mut State, file: FileId) -> Effect {
    ask(state, DetailsRead, GetFile { file })
}

/// What no key asks for, as far as it is due; nothing of a session that is closed.
pub(super) fn due(state: &mut State) -> Vec<Effect> {
    if state.current.is_closed {
        return Vec::new();
    }
    let again = again_after_loss(state);
    again.into_iter().chain(details_at_rest(state)).chain(service_task::look_again(state)).collect()
}

/// The details of the file under the cursor, where it has come to rest and only the row is known.
fn details_at_rest(state: &mut State) -> Option<Effect> {
    let file = state.needs_details()?.clone();
    state.current.cursor_idle.is_over(state.now).then(|| details(state, file))
}

/// Reads again what could not be read, now that the service is back. Whichever answer has shown that, the open folder
/// is looked at again; its own answer may be what has, and another may be on its way.
pub(super) fn again_after_return(state: &mut State, is_listed: bool) -> Vec<Effect> {
    state.current.previews.forget_lost();
    state.current.cursor_idle = CursorIdle::default();
    let mut effects = Vec::new();
    if !is_listed && state.current.listing.pending.is_none() {
        effects.extend(listing::refresh(state));
    }
    effects.extend(lost_limits(state));
    let is_lost = |error: &Error| ConnectionLoss::of(error.kind).is_some();
    let nodes = state.current.tree.nodes.iter();
    let failed = nodes.filter(|node| matches!(&node.children, Children::Failed(error) if is_lost(error)));
    let failed: Vec<_> = failed.map(|node| node.place.id.clone()).collect();
    effects.extend(failed.iter().filter_map(|id| branch(state, id.as_ref())));
    effects
}

/// Reads again what the panes show, once a lost service may be back.
fn again_after_loss(state: &mut State) -> Vec<Effect> {
    if !state.current.connection.is_due(state.now) || state.current.ops.is_busy() {
        return Vec::new();
    }
    let mut effects = listing::refresh(state);
    effects.extend(lost_limits(state));
    effects
}

/// Reads the limits again if the line has kept them away; what was refused would be refused again.
fn lost_limits(state: &mut State) -> Vec<Effect> {
    let problems = state.current.limits.book.problems();
    let is_lost = problems.iter().any(|(_, error)| ConnectionLoss::of(error.kind).is_some());
    if is_lost { limits::account(state) } else { Vec::new() }
}

impl OnAnswer for BranchRead {
    fn answered(self, state: &mut State, _: OpId, answer: Vec<Folder>) -> Vec<Effect> {
        state.current.set_subfolders(self.0.as_ref(), answer);
        reveal(state).into_iter().collect()
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) -> Vec<Effect> {
        let Some(node) = state.current.tree.find_mut(self.0.as_ref()) else { return Vec::new() };
        let path = node.place.path.clone();
        match &self.0 {
            Some(id) if error.kind == Kind::NotFound => state.current.remove_folder(id, &path),
            _ => {
                node.children = Children::Failed(error.clone());
                state.say_failed(&format!("{} could not be read", visible(&path)), error);
            }
        }
        Vec::new()
    }
}

impl OnAnswer for DetailsRead {
    fn answered(self, state: &mut State, _: OpId, answer: File) -> Vec<Effect> {
        let target = Target::File(answer.id.clone());
        if state.current.listing.row(&target).is_some() && !state.current.tasks.busy.holds(&target) {
            state.current.listing.upsert(Entry::File(answer));
        }
        Vec::new()
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) -> Vec<Effect> {
        state.say_failed("The details could not be read", error);
        Vec::new()
    }
}
