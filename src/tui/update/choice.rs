//! Performs the chosen row of the palette or of the help.

use super::act;
use crate::engine::message::{FolderRef, Target};
use crate::tui::keymap::{Action, Context};
use crate::tui::pane::actions;
use crate::tui::pane::comparison;
use crate::tui::pane::files::{browse, listing};
use crate::tui::pane::focus;
use crate::tui::pane::local;
use crate::tui::state::{MessageLevel, Pane, State, View};
use crate::tui::wording::action as words;

/// Performs an action as its key does. If it needs a row of another view, only opens that view and
/// names the key: the row has to be chosen there.
pub(super) fn act(state: &mut State, action: Action) {
    let home = actions::home(state, action);
    let is_on_hidden_rows = state.mode.comparing().is_some()
        && home.is_some_and(|context| actions::is_on_rows(context, action));
    let (view, pane) = match home {
        Some(context) if context == state.context() => return act::act(state, action),
        None | Some(Context::Choose | Context::Compare) => return,
        Some(Context::Tree) => (View::Files, Some(Pane::Tree)),
        Some(Context::Local) => (View::Files, Some(Pane::Local)),
        Some(Context::Details) => (View::Files, Some(Pane::Details)),
        Some(Context::Global | Context::Files | Context::List | Context::Grid) => {
            (View::Files, Some(Pane::List))
        }
        Some(Context::Tasks) => (View::Tasks, None),
        Some(Context::Limits) => (View::Limits, None),
        Some(Context::Activity) => (View::Activity, None),
    };
    focus::open_view(state, view);
    if let Some(pane) = pane {
        if pane == Pane::Local {
            local::update::open(state);
        }
        // The rows that the action works on must be visible.
        comparison::update::leave(state);
        state.focus = pane;
        focus::keep_focus_on_screen(state);
        if !is_on_hidden_rows {
            return act::act(state, action);
        }
    }
    let key = state
        .keymap
        .key_of(state.context(), action)
        .unwrap_or_default();
    state.say(
        MessageLevel::Hint,
        format!(
            "{key} also does this: {}.",
            words::description(state, action).to_lowercase()
        ),
    );
}

pub(super) fn open(state: &mut State, place: FolderRef) {
    focus::open_view(state, View::Files);
    browse::go(state, place, None);
}

pub(super) fn seek(state: &mut State, target: Target) {
    focus::open_view(state, View::Files);
    state.focus = Pane::List;
    state.files.listing.seek(target);
    listing::sought(state);
}
