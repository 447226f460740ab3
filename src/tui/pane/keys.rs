//! Key names as displayed, always from the key map.

use crate::tui::keymap::Action;
use crate::tui::state::State;

/// The key of an action in the focused context, or its key file name if it has no key.
pub(crate) fn key(state: &State, action: Action) -> String {
    state
        .keymap
        .key_of(state.context(), action)
        .unwrap_or_else(|| format!("({action})"))
}
