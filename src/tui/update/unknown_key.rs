//! A key that means nothing where it was pressed: says so, and which key shows those that do.

use crate::tui::keymap::{Action, Key, spell};
use crate::tui::state::{MessageLevel, State};

/// Keys that were pressed one after the other, the last of which continues with nothing.
pub(super) fn say(state: &mut State, pressed: &[Key]) {
    let keys = spell(pressed);
    let help = state.keymap.key_of(state.context(), Action::Help);
    let next = help.map(|help| format!(": {help} shows all keys")).unwrap_or_default();
    state.say(MessageLevel::Hint, format!("{keys} does nothing here{next}."));
}
