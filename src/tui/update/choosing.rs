//! Chooses local files for a waiting dialog: the local list takes the screen until they are chosen,
//! then the screen is restored.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::api::text::visible_local;
use crate::tui::dialog::Dialog;
use crate::tui::keymap::{Action, Context};
use crate::tui::state::{Choosing, MessageLevel, Mode, Pane, State, View};

/// Opens `folder` to choose files for the dialog on top; the cursor goes to the name `seek`.
pub(super) fn begin(state: &mut State, folder: PathBuf, seek: Option<OsString>) {
    let mut list = state.local_side.clone();
    list.clear_marks();
    list.go(folder, seek);
    let choosing = Choosing {
        dialogs: std::mem::take(&mut state.dialogs),
        local_side: std::mem::replace(&mut state.local_side, list),
        mode: std::mem::take(&mut state.mode),
        is_zoomed: std::mem::take(&mut state.panes.zoomed),
        focus: state.focus,
        view: state.view,
    };
    state.mode = Mode::Choosing(Box::new(choosing));
    (state.view, state.focus) = (View::Files, Pane::Local);
}

pub(super) fn end(state: &mut State) {
    let Mode::Choosing(choosing) = std::mem::take(&mut state.mode) else {
        return;
    };
    state.dialogs.splice(0..0, choosing.dialogs);
    (state.mode, state.local_side) = (choosing.mode, choosing.local_side);
    // The answer to an earlier read was dropped meanwhile.
    (state.local_side.pending, state.local_side.is_stale) = (None, true);
    state.panes.zoomed = choosing.is_zoomed;
    (state.focus, state.view) = (choosing.focus, choosing.view);
}

/// Returns to the dialog and adds the chosen paths to it.
pub(super) fn choose(state: &mut State, paths: &[PathBuf]) {
    if let Some(name) = paths.iter().find(|path| path.to_str().is_none()) {
        let name = visible_local(name.file_name().unwrap_or_default());
        let text = format!("{name} cannot be chosen: its path is not Unicode text.");
        return state.say(MessageLevel::Warn, text);
    }
    end(state);
    if let Some(Dialog::Upload(upload)) = state.dialogs.last_mut() {
        upload.add(paths);
    }
}

/// Names the keys that lead back to the waiting dialog.
pub(super) fn say_keys(state: &mut State) {
    let key = |action| {
        state
            .keymap
            .key_of(Context::Choose, action)
            .unwrap_or_default()
    };
    let text = format!(
        "{} chooses for the upload, {} goes back to it.",
        key(Action::Choose),
        key(Action::Back)
    );
    state.say(MessageLevel::Hint, text);
}
