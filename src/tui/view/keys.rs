//! Keys as they are named on the screen; always what the key map says.

use crate::tui::keymap::Action;
use crate::tui::state::State;

/// The key of an action where the focus is, or its name in the key file when it has none.
pub(super) fn key(state: &State, action: Action) -> String {
    state.keymap.key_of(state.context(), action).unwrap_or_else(|| format!("({action})"))
}
