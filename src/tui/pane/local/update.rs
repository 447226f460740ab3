//! The local list: opens it beside the account's, goes from folder to folder, marks, filters,
//! sorts, and uploads the marked rows.

use std::ffi::OsString;
use std::path::PathBuf;

use super::choosing;
use crate::api::Error;
use crate::api::text::visible;
use crate::engine::OpId;
use crate::engine::local_entry::LocalEntry;
use crate::engine::question::ListLocalFolder;
use crate::engine::typed_paths::TypedPaths;
use crate::tui::keymap::Action;
use crate::tui::pane::ask::{OnAnswer, ask};
use crate::tui::pane::files::filter;
use crate::tui::pane::{focus, other_account, plan};
use crate::tui::state::{Beside, LocalSideRead, MessageLevel, Mode, Pane, State, View};

/// Shows the list with the focus on it, or closes it. In plain mode, which shows one list at a
/// time, it gets the focus before it is closed.
pub(crate) fn toggle(state: &mut State) {
    if state.mode.other_account().is_some() {
        return close(state);
    }
    let is_open = state.mode.has_local_list();
    if is_open && (!state.panes.plain || state.focus == Pane::Local) {
        close(state);
    } else {
        open(state);
    }
}

pub(crate) fn open(state: &mut State) {
    focus::open_view(state, View::Files);
    if !state.mode.has_local_list() {
        state.mode = Mode::Lists(Beside::ThisMachine);
        state.local_side.is_stale = true;
    }
    state.panes.zoomed = false;
    state.focus = Pane::Local;
}

pub(crate) fn close(state: &mut State) {
    other_account::close(state);
    state.mode = Mode::default();
    (state.panes.zoomed, state.local_side.has_details) = (false, false);
    filter::keep(state, Pane::Local);
    if state.focus == Pane::Local {
        state.focus = Pane::List;
    }
    focus::keep_focus_on_screen(state);
}

pub(crate) fn toggle_hidden(state: &mut State) {
    let side = &mut state.local_side;
    side.shows_hidden = !side.shows_hidden;
    side.arrange();
}

pub(crate) fn sort(state: &mut State, action: Action) {
    let side = &mut state.local_side;
    side.list.sort = side.list.sort.after(action);
    side.arrange();
}

pub(crate) fn refresh(state: &mut State) {
    state.local_side.is_stale = true;
    if let Some(key) = state.previewed() {
        state.files.previews.remove(&key);
    }
}

/// Passes the marked paths to the waiting dialog. Without marks, enters the folder or passes the
/// file under the cursor.
pub(crate) fn choose(state: &mut State) {
    let side = &state.local_side;
    match side.chosen() {
        _ if side.choosing_enters() => enter(state),
        paths if paths.is_empty() => {}
        paths => choosing::choose(state, &paths),
    }
}

/// Enters the folder under the cursor, or shows the details of the file; for a waiting dialog,
/// chooses the file.
pub(crate) fn enter(state: &mut State) {
    let Some(row) = state.local_side.current() else {
        return;
    };
    let path = state.local_side.path(row);
    if row.entry.is_folder {
        go(state, path, None);
    } else if state.mode.is_choosing() {
        choosing::choose(state, &[path]);
    } else {
        focus::open_details(state);
    }
}

pub(crate) fn leave(state: &mut State) {
    if state.focus == Pane::Details {
        return focus::leave_details(state);
    }
    match state.local_side.above() {
        Some((folder, here)) => go(state, folder, here),
        None => state.say(MessageLevel::Hint, "This is the top of the disk."),
    }
}

fn go(state: &mut State, folder: PathBuf, seek: Option<OsString>) {
    if state.focus == Pane::Details {
        focus::leave_details(state);
    }
    state.local_side.go(folder, seek);
}

/// Backs out of one thing: full-screen details, filter, range, the choice for a dialog, marks,
/// zoom, and then the list itself, which stays open.
pub(crate) fn back(state: &mut State) {
    let side = &mut state.local_side;
    match () {
        () if state.panes.zoomed && state.focus == Pane::Details => focus::leave_zoom(state),
        () if side.list.filter.is_some() => filter::end(state, Pane::Local),
        () if side.list.end_range() => {}
        () if state.mode.is_choosing() => choosing::end(state),
        () if side.has_marks() => side.clear_marks(),
        () if state.panes.zoomed => state.panes.zoomed = false,
        () if state.focus == Pane::Details => state.focus = Pane::Local,
        () => state.focus = Pane::List,
    }
}

pub(crate) fn open_filter(state: &mut State) {
    filter::open(state, Pane::Local);
}

/// Plans the upload of the marked rows, or of the row under the cursor, into the open folder.
pub(crate) fn send(state: &mut State) {
    let paths = state.local_side.chosen();
    let Some(into) = state.destination() else {
        return;
    };
    let typed = paths.iter().map(|path| TypedPaths::chosen(path)).collect();
    state.say(
        MessageLevel::Hint,
        format!("Comparing with {}.", visible(&into.path)),
    );
    plan::send(state, typed, into);
}

/// Reads the folder when needed, and tracks which list the details follow.
pub(crate) fn follow(state: &mut State) {
    if !state.mode.has_local_list() {
        return;
    }
    match state.focus {
        Pane::Local if !state.local_side.has_details => {
            // The disk may have changed since the list last had the focus.
            (state.local_side.has_details, state.local_side.is_stale) = (true, true);
        }
        Pane::List | Pane::Tree => state.local_side.has_details = false,
        _ => {}
    }
    let here = state
        .local_side
        .current()
        .map(|row| state.local_side.path(row));
    state.local_side.cursor_idle.at(here.as_ref(), state.now);
    let session = state.session.ops.session();
    // A read of an earlier session is never answered.
    if state
        .local_side
        .pending
        .take_if(|op| op.session != session)
        .is_some()
    {
        state.local_side.is_stale = true;
    }
    if !state.local_side.is_stale || state.local_side.pending.is_some() {
        return;
    }
    let folder = state.local_side.folder.clone();
    let op = ask(state, LocalSideRead, ListLocalFolder { folder });
    (state.local_side.pending, state.local_side.is_stale) = (Some(op), false);
}

impl OnAnswer for LocalSideRead {
    type Question = ListLocalFolder;

    fn answered(self, state: &mut State, op: OpId, answer: Vec<LocalEntry>) {
        if state
            .local_side
            .pending
            .take_if(|pending| *pending == op)
            .is_some()
        {
            state.local_side.store_entries(answer);
        }
    }

    fn failed(self, state: &mut State, op: OpId, error: &Error) {
        if state
            .local_side
            .pending
            .take_if(|pending| *pending == op)
            .is_some()
        {
            state.local_side.fail(error.clone());
        }
    }
}
