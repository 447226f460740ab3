//! Chooses local files for a waiting dialog: the local list takes the screen until they are chosen,
//! then the screen is restored.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::api::text::visible_local;
use crate::tui::dialog::{Dialog, OTHER_EXTENSION, PathKind};
use crate::tui::input::shell_words;
use crate::tui::keymap::{Action, Context};
use crate::tui::pane::action_row::Availability;
use crate::tui::state::{
    Choosing, LeftChoice, LocalRow, LocalSide, MessageLevel, Mode, Pane, State, View,
};

/// Opens the local list at the typed path, to choose files for the dialog on top. The same text
/// leads back to the list that was left before.
pub(crate) fn begin(state: &mut State, typed: String, of: PathKind) {
    let left = state.left_choice.take().filter(|left| left.typed == typed);
    let mut list = left.map_or_else(|| list_at(state, &typed, of), |left| left.list);
    // The answer to an earlier read was dropped meanwhile.
    (list.pending, list.is_stale) = (None, true);
    let choosing = Choosing {
        dialogs: std::mem::take(&mut state.dialogs),
        typed,
        is_of_one: of == PathKind::Local,
        local_side: std::mem::replace(&mut state.local_side, list),
        mode: std::mem::take(&mut state.mode),
        is_zoomed: std::mem::take(&mut state.panes.zoomed),
        focus: state.focus,
        view: state.view,
    };
    state.mode = Mode::Choosing(Box::new(choosing));
    (state.view, state.focus) = (View::Files, Pane::Local);
}

fn list_at(state: &State, typed: &str, of: PathKind) -> LocalSide {
    let word = match of {
        PathKind::Locals => shell_words::last(typed).text(),
        PathKind::Local | PathKind::There | PathKind::FolderThere => typed.to_owned(),
    };
    let (folder, seek) = state.local.split(&word);
    let mut list = state.local_side.clone();
    list.clear_marks();
    list.go(folder, seek.map(OsString::from));
    list
}

/// Goes back to the dialog without a choice; the list stays as it is for the next one.
pub(crate) fn end(state: &mut State) {
    state.left_choice = restore(state);
}

fn restore(state: &mut State) -> Option<LeftChoice> {
    let Mode::Choosing(choosing) = std::mem::take(&mut state.mode) else {
        return None;
    };
    state.dialogs.splice(0..0, choosing.dialogs);
    let list = std::mem::replace(&mut state.local_side, choosing.local_side);
    // The answer to an earlier read was dropped meanwhile.
    (state.local_side.pending, state.local_side.is_stale) = (None, true);
    state.mode = choosing.mode;
    state.panes.zoomed = choosing.is_zoomed;
    (state.focus, state.view) = (choosing.focus, choosing.view);
    let typed = choosing.typed;
    Some(LeftChoice { typed, list })
}

/// Returns to the dialog and adds the chosen paths to its field.
pub(crate) fn choose(state: &mut State, paths: &[PathBuf]) {
    if let Some(name) = paths.iter().find(|path| path.to_str().is_none()) {
        let name = visible_local(name.file_name().unwrap_or_default());
        let text = format!("{name} cannot be chosen: its path is not Unicode text.");
        return state.say(MessageLevel::Warn, text);
    }
    restore(state);
    let form = state
        .dialogs
        .last_mut()
        .and_then(|dialog| dialog.form_mut());
    if let Some(form) = form {
        form.add_paths(paths, &state.local);
    }
}

/// Returns the reason why the waiting dialog, if there is one, would refuse a row.
pub(crate) fn problem(row: &LocalRow, state: &State) -> Option<&'static str> {
    let (Mode::Choosing(choosing), side) = (&state.mode, &state.local_side) else {
        return None;
    };
    match choosing.dialogs.last() {
        Some(Dialog::Replace(_) | Dialog::Import(_)) if row.entry.is_folder => {
            Some("A folder cannot be chosen here.")
        }
        Some(Dialog::Replace(dialog)) if !dialog.can_take(&side.path(row)) => Some(OTHER_EXTENSION),
        _ => None,
    }
}

/// Refuses a file that the waiting dialog would refuse; folders are entered.
pub(crate) fn can_choose(state: &State) -> Availability {
    let side = &state.local_side;
    let row = side
        .current()
        .filter(|_| !side.has_marks() && !side.choosing_enters());
    let problem = row.and_then(|row| problem(row, state));
    Availability::unless(problem.is_some(), "", problem.unwrap_or_default())
}

/// Refuses to mark what the waiting dialog would refuse, or a second row if it wants one.
pub(crate) fn can_mark(state: &State, action: Action) -> Availability {
    let side = &state.local_side;
    let Mode::Choosing(choosing) = &state.mode else {
        return Availability::Yes;
    };
    let is_marked = side.current().is_some_and(|row| side.is_marked(row));
    let is_one = action == Action::Mark && (is_marked || !side.has_marks());
    let problem = if choosing.is_of_one && !is_one {
        Some("Only one can be chosen here.")
    } else {
        side.current().and_then(|row| problem(row, state))
    };
    Availability::unless(problem.is_some(), "", problem.unwrap_or_default())
}

/// Names the keys that lead back to the waiting dialog.
pub(crate) fn say_keys(state: &mut State) {
    let key = |action| {
        state
            .keymap
            .key_of(Context::Choose, action)
            .unwrap_or_default()
    };
    let text = format!(
        "{} chooses, {} goes back to the dialog.",
        key(Action::Choose),
        key(Action::Back)
    );
    state.say(MessageLevel::Hint, text);
}
