//! Moves the cursor, and goes from folder to folder.

use std::collections::BTreeSet;

use super::{listing, opening};
use crate::api::model::Access;
use crate::api::text::visible;
use crate::api::{Error, Kind};
use crate::engine::OpId;
use crate::engine::message::{Entry, FolderRef, Target};
use crate::engine::question::{Locate, Located};
use crate::tui::dialog::{Dialog, Prompt};
use crate::tui::pane::ask::{OnAnswer, ask};
use crate::tui::pane::focus;
use crate::tui::state::{
    Children, GoToRead, MessageLevel, Pane, State, TREE_COLUMN_FROM, TypedPlace, Visit, parent_path,
};

/// Opens the folder under the cursor, or the details of the row.
pub(crate) fn open(state: &mut State) {
    if state.focus == Pane::Tree {
        open_in_tree(state);
    } else {
        open_in_list(state);
    }
}

fn open_in_tree(state: &mut State) {
    let Some(node) = state.files.tree.selected() else {
        return;
    };
    let (place, is_unread) = (
        node.place.clone(),
        !matches!(node.children, Children::Loaded | Children::Loading(_)),
    );
    if let Some(node) = state.files.tree.find_mut(place.id.as_ref()) {
        node.open = true;
    }
    go(state, place.clone(), None);
    if is_unread {
        opening::branch(state, place.id.as_ref());
    }
    if state.size.width < TREE_COLUMN_FROM {
        state.panes.tree_overlay = false;
        state.focus = Pane::List;
    }
}

fn open_in_list(state: &mut State) {
    let Some(row) = state.files.listing.current() else {
        return;
    };
    match row.target.clone() {
        Target::Folder(_) => {
            let Some(place) = row.place(state.files.listing.of.base()) else {
                return;
            };
            if state.focus == Pane::Details {
                focus::leave_details(state);
            }
            go(state, place, None);
        }
        Target::File(file) => {
            focus::open_details(state);
            opening::details(state, file);
        }
    }
}

/// Goes to the parent folder, or back from a search. In the tree an open folder is closed first;
/// from the details the focus returns to the list.
pub(crate) fn leave(state: &mut State) {
    match state.focus {
        Pane::Details => focus::leave_details(state),
        Pane::Tree => leave_in_tree(state),
        _ => {
            let Some(here) = state.files.listing.of.folder().cloned() else {
                return history_back(state);
            };
            let Some(path) = parent_path(&here.path).filter(|_| !here.is_root()) else {
                return;
            };
            let came_from = here.id.map(Target::Folder);
            match known_place(state, &path) {
                Some(place) => go(state, place, came_from),
                None => locate(state, &path),
            }
        }
    }
}

fn leave_in_tree(state: &mut State) {
    state.files.tree.seek = None;
    let Some(node) = state.files.tree.selected() else {
        return;
    };
    let id = node.place.id.clone();
    let is_open = node.open && id.is_some();
    if is_open {
        if let Some(node) = state.files.tree.find_mut(id.as_ref()) {
            node.open = false;
        }
    } else if let Some(parent) = id.and_then(|id| {
        state
            .files
            .tree
            .parent(&id)
            .map(|node| node.place.id.clone())
    }) {
        state.files.tree.cursor = parent;
    }
}

fn known_place(state: &State, path: &str) -> Option<FolderRef> {
    state
        .files
        .tree
        .nodes
        .iter()
        .map(|node| &node.place)
        .find(|place| place.path == path)
        .cloned()
}

/// Opens a folder, and adds the previous place to the history.
pub(crate) fn go(state: &mut State, place: FolderRef, seek: Option<Target>) {
    if state.files.listing.of.is_folder(place.id.as_ref()) {
        if let Some(target) = seek {
            state.files.listing.seek(target);
        }
        state.files.tree.seek = Some(place);
        opening::reveal(state);
        return listing::sought(state);
    }
    state.files.history.leave(state.files.visit());
    opening::open(state, place, seek);
}

pub(crate) fn history_back(state: &mut State) {
    let there = state.files.history.back(state.files.visit());
    revisit(state, there, "This is the start of the history.");
}

pub(crate) fn history_forward(state: &mut State) {
    let there = state.files.history.forth(state.files.visit());
    revisit(state, there, "This is the end of the history.");
}

fn revisit(state: &mut State, there: Option<Visit>, end: &str) {
    if let Some(visit) = there {
        opening::open(state, visit.of, visit.at);
    } else {
        state.say(MessageLevel::Hint, end);
    }
}

pub(crate) fn ask_path(state: &mut State) {
    state.session.folder_names.want();
    let prompt = path_prompt(state);
    state.dialogs.push(Dialog::Prompt(prompt));
}

fn path_prompt(state: &State) -> Prompt {
    let here = state.files.listing.of.base().path.clone();
    let names = &state.session.folder_names;
    let known = ["/"]
        .into_iter()
        .chain(names.paths())
        .map(str::to_owned)
        .collect();
    Prompt::go_to(here, known, names.lack()).recalling(&state.session.account.favorites.typed.paths)
}

pub(crate) fn ask_id(state: &mut State) {
    let prompt = id_prompt(state);
    state.dialogs.push(Dialog::Prompt(prompt));
}

fn id_prompt(state: &State) -> Prompt {
    Prompt::go_to_id().recalling(&state.session.account.favorites.typed.ids)
}

pub(crate) fn locate_id(state: &mut State, id: String) {
    ask(
        state,
        GoToRead {
            to: id.clone(),
            typed: Some(TypedPlace::Id),
        },
        Locate::Id(id),
    );
}

pub(crate) fn locate_typed(state: &mut State, path: &str) {
    if path == "/" {
        return go(state, FolderRef::root(), None);
    }
    let to = path.to_owned();
    ask(
        state,
        GoToRead {
            to: to.clone(),
            typed: Some(TypedPlace::Path),
        },
        Locate::Path(to),
    );
}

pub(crate) fn locate(state: &mut State, path: &str) {
    let trimmed = path.trim_end_matches('/');
    if trimmed.is_empty() {
        return go(state, FolderRef::root(), None);
    }
    ask(
        state,
        GoToRead {
            to: trimmed.to_owned(),
            typed: None,
        },
        Locate::Path(trimmed.to_owned()),
    );
}

impl OnAnswer for GoToRead {
    type Question = Locate;

    fn answered(self, state: &mut State, _: OpId, answer: Located) {
        match answer {
            Located::Root => go(state, FolderRef::root(), None),
            Located::Entry(Entry::Folder(folder)) => {
                let path = folder.path.unwrap_or(self.to);
                go(
                    state,
                    FolderRef {
                        id: Some(folder.id),
                        path,
                    },
                    None,
                );
            }
            Located::Entry(Entry::File(file)) => {
                let place = FolderRef {
                    id: file.parent_folder_id.clone(),
                    path: parent_path(file.path.as_deref().unwrap_or(&self.to))
                        .unwrap_or_else(|| "/".to_owned()),
                };
                let target = Target::File(file.id.clone());
                go(state, place, Some(target.clone()));
                if file.access.as_ref().is_some_and(Access::is_hidden) {
                    let name = file.full_name();
                    let text = format!(
                        "{} is hidden: the service leaves it out of lists and searches.",
                        visible(&name)
                    );
                    state.say(MessageLevel::Info, text);
                    // Listed all the same, so that every key works on it while the folder is open.
                    state
                        .files
                        .listing
                        .change(vec![Entry::File(file)], &BTreeSet::new());
                    // Sought again, because the first page is still to arrive.
                    state.files.listing.seek = Some(target);
                }
            }
        }
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) {
        let can_ask =
            error.kind == Kind::NotFound && state.dialogs.is_empty() && !state.is_typing();
        let prompt = match self.typed.filter(|_| can_ask) {
            Some(TypedPlace::Path) => {
                let problem = format!("There is nothing at {}.", visible(&self.to));
                path_prompt(state).again(self.to, problem)
            }
            Some(TypedPlace::Id) => {
                let problem = "Nothing has this id, or the token may not see it.";
                id_prompt(state).again(self.to, problem.to_owned())
            }
            None => {
                let what = if self.typed == Some(TypedPlace::Id) {
                    "Id "
                } else {
                    ""
                };
                state.say_failed(
                    &format!("{what}{} could not be opened", visible(&self.to)),
                    error,
                );
                return;
            }
        };
        state.dialogs.push(Dialog::Prompt(prompt));
    }
}
