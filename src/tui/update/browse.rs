//! Moves the cursor, and goes from folder to folder.

use std::collections::BTreeSet;

use ratatui::layout::Size;

use super::{details_focus, limits, listing, load};
use crate::api::model::Access;
use crate::api::text::visible;
use crate::api::{Error, Kind};
use crate::engine::OpId;
use crate::engine::message::{Entry, FolderRef, Target};
use crate::engine::question::{EntryOrRoot, Locate};
use crate::tui::areas::{self, areas};
use crate::tui::dialog::{Dialog, Prompt};
use crate::tui::keymap::Action;
use crate::tui::state::{
    Children, GoToRead, ListPurpose, MessageLevel, Pane, Scrolled, State, TREE_COLUMN_FROM,
    TypedPlace, View, Visit, parent_path,
};
use crate::tui::update::ask::{OnAnswer, ask};
use crate::tui::view::activity;
use crate::tui::view::files::grid;
use crate::tui::widget::scroll::ListCursor;

/// Moves the cursor of the list with the keys.
pub(super) fn move_cursor(state: &mut State, action: Action) {
    let list = match (state.view, state.focus) {
        (View::Files, _) if state.mode.comparing().is_some() => Scrolled::Comparison,
        (View::Files, _) if state.is_on_local() => Scrolled::Local,
        (View::Files, Pane::Tree) => Scrolled::Tree,
        (View::Files, _) if action == Action::MoveBottom => {
            state.files.listing.move_to_end();
            return listing::whole(state, ListPurpose::End);
        }
        (View::Files, _) => Scrolled::List,
        (View::Tasks, _) => Scrolled::Tasks,
        (View::Limits, _) if state.session.limits.is_scrolling => {
            let page = page_rows(state);
            return limits::scroll_aside(state, |at, len| stepped(action, at, len, page));
        }
        (View::Limits, _) => Scrolled::Limits,
        (View::Activity, _) => Scrolled::Activity,
    };
    step(state, list, action);
}

/// Moves the cursor of a list by a row or a page, in a grid by a line or a page of lines.
pub(super) fn step(state: &mut State, list: Scrolled, action: Action) {
    let grid = grid::grid(state).filter(|_| list == Scrolled::List);
    let (across, height) = grid.map_or((1, page_rows(state)), |grid| (grid.across, grid.lines));
    move_in(state, list, |cursor| {
        cursor.walk_to(
            stepped_across(action, *cursor, across, height),
            across,
            height,
        );
    });
}

/// Changes the cursor of a list.
pub(super) fn move_in(state: &mut State, list: Scrolled, change: impl FnOnce(&mut ListCursor)) {
    match list {
        Scrolled::Tree => state.files.tree.move_cursor(change),
        Scrolled::Local => state.local_side.move_cursor(change),
        Scrolled::List => {
            state.files.listing.move_cursor(change);
            listing::next_page(state);
        }
        Scrolled::Comparison => {
            if let Some(comparing) = state.mode.comparing_mut() {
                comparing.list.move_cursor(change);
            }
        }
        Scrolled::Tasks => state.session.tasks.move_cursor(change),
        Scrolled::Limits => state.session.limits.move_cursor(change),
        Scrolled::Activity => state.activity.move_cursor(change),
    }
}

fn stepped(action: Action, at: usize, len: usize, page: usize) -> usize {
    let target = match action {
        Action::MoveDown => at.saturating_add(1),
        Action::MoveUp => at.saturating_sub(1),
        Action::MoveTop => 0,
        Action::MoveBottom => usize::MAX,
        Action::HalfPageDown => at.saturating_add((page / 2).max(1)),
        Action::HalfPageUp => at.saturating_sub((page / 2).max(1)),
        Action::PageDown => at.saturating_add(page),
        Action::PageUp => at.saturating_sub(page),
        _ => at,
    };
    target.min(len.saturating_sub(1))
}

/// Like `stepped`, for a list in lines of `across` rows: up and down move by lines, and keep the
/// column as far as the last line has it.
fn stepped_across(action: Action, cursor: ListCursor, across: usize, page: usize) -> usize {
    let (at, line) = (cursor.at(), cursor.in_lines(across));
    match action {
        Action::MoveLeft => at.saturating_sub(1),
        Action::MoveRight => at.saturating_add(1),
        Action::MoveTop | Action::MoveBottom => stepped(action, at, cursor.count(), page),
        _ => {
            let to = stepped(action, line.at(), line.count(), page);
            (at + to * across).saturating_sub(line.at() * across)
        }
    }
}

/// The number of rows on the screen in the focused pane, without its borders and heading.
pub(super) fn page_rows(state: &State) -> usize {
    const AROUND: u16 = 3;
    let size = Size {
        width: state.size.0,
        height: state.size.1,
    };
    let pane = areas(size, state).map(|areas| match state.view {
        View::Files => {
            let compared = areas.comparison.map(|comparison| comparison.here);
            compared
                .or(areas.list)
                .or(areas.local)
                .unwrap_or(areas.body)
        }
        View::Tasks => areas::tasks(areas.body, state)[0],
        View::Limits => areas::limits(areas.body, state).table,
        View::Activity => activity::parts(areas.body, state)[0],
    });
    pane.map_or(1, |pane| {
        usize::from(pane.height.saturating_sub(AROUND)).max(1)
    })
}

/// Opens the folder under the cursor, or the details of the row.
pub(super) fn open(state: &mut State) {
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
        load::branch(state, place.id.as_ref());
    }
    if state.size.0 < TREE_COLUMN_FROM {
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
                details_focus::leave(state);
            }
            go(state, place, None);
        }
        Target::File(file) => {
            details_focus::open(state);
            load::details(state, file);
        }
    }
}

/// Goes to the parent folder, or back from a search. In the tree an open folder is closed first;
/// from the details the focus returns to the list.
pub(super) fn leave(state: &mut State) {
    match state.focus {
        Pane::Details => details_focus::leave(state),
        Pane::Tree => leave_in_tree(state),
        Pane::Local => {}
        Pane::List => {
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
pub(super) fn go(state: &mut State, place: FolderRef, seek: Option<Target>) {
    if state.files.listing.of.is_folder(place.id.as_ref()) {
        if let Some(target) = seek {
            state.files.listing.seek(target);
        }
        state.files.tree.seek = Some(place);
        load::reveal(state);
        return listing::sought(state);
    }
    state.files.history.leave(state.files.visit());
    load::open(state, place, seek);
}

pub(super) fn history_back(state: &mut State) {
    let there = state.files.history.back(state.files.visit());
    revisit(state, there, "This is the start of the history.");
}

pub(super) fn history_forward(state: &mut State) {
    let there = state.files.history.forth(state.files.visit());
    revisit(state, there, "This is the end of the history.");
}

fn revisit(state: &mut State, there: Option<Visit>, end: &str) {
    if let Some(visit) = there {
        load::open(state, visit.of, visit.at);
    } else {
        state.say(MessageLevel::Hint, end);
    }
}

pub(super) fn ask_path(state: &mut State) {
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

pub(super) fn ask_id(state: &mut State) {
    let prompt = id_prompt(state);
    state.dialogs.push(Dialog::Prompt(prompt));
}

fn id_prompt(state: &State) -> Prompt {
    Prompt::go_to_id().recalling(&state.session.account.favorites.typed.ids)
}

pub(super) fn locate_id(state: &mut State, id: String) {
    ask(
        state,
        GoToRead {
            to: id.clone(),
            typed: Some(TypedPlace::Id),
        },
        Locate::Id(id),
    );
}

pub(super) fn locate_typed(state: &mut State, path: &str) {
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

pub(super) fn locate(state: &mut State, path: &str) {
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

pub(super) fn refresh(state: &mut State) {
    state.session.denied_actions.forget_refusals();
    match state.view {
        View::Files => {
            if let Some(key) = state.previewed() {
                state.files.previews.remove(&key);
            }
            listing::refresh(state);
            let here = state
                .files
                .listing
                .of
                .folder()
                .map(|place| place.id.clone());
            for id in here.iter().chain([&state.files.tree.cursor.clone()]) {
                load::branch(state, id.as_ref());
            }
            let shown = state
                .files
                .listing
                .current()
                .filter(|_| state.focus == Pane::Details)
                .map(|row| row.target.clone());
            if let Some(Target::File(file)) = shown {
                load::details(state, file);
            }
        }
        View::Limits => limits::account(state),
        View::Tasks | View::Activity => state.say(MessageLevel::Hint, "This is always up to date."),
    }
}

impl OnAnswer for GoToRead {
    fn answered(self, state: &mut State, _: OpId, answer: EntryOrRoot) {
        match answer {
            EntryOrRoot::Root => go(state, FolderRef::root(), None),
            EntryOrRoot::Entry(Entry::Folder(folder)) => {
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
            EntryOrRoot::Entry(Entry::File(file)) => {
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
